import { type MerchantAccess, may } from '@/lib/accounts/access/grant-access';
import type { AuditFilter } from '@/lib/audit/filter-rules';
import { type ListedEntry, listEntries } from '@/lib/audit/listing-store';
import type { Runtime } from '@/lib/runtime/runtime';

const PAGE = 50;

export type EntryView = ListedEntry;

interface EntryPage {
  readonly entries: readonly EntryView[];
  /** Where the next, older page begins; null when there is none. */
  readonly older: string | null;
}

interface ListOptions {
  readonly filter: AuditFilter;
  readonly before: string | null;
}

/** @returns a page of a merchant's audit log, newest first; null when the role may not see it. Sign-ins of members are for owners. */
export async function listAudit(
  { db }: Pick<Runtime, 'db'>,
  access: MerchantAccess,
  { filter, before }: ListOptions,
): Promise<EntryPage | null> {
  if (!may(access, 'audit.view')) return null;
  const found = await listEntries(db, access.scope, { filter, before, people: access.role === 'owner', limit: PAGE + 1 });
  const entries = found.slice(0, PAGE);
  return { entries, older: found.length > PAGE ? (entries.at(-1)?.id ?? null) : null };
}
