import { type MerchantAccess, may } from '@/lib/accounts/access/grant-access';
import type { AuditFilter } from '@/lib/audit/filter-rules';
import { type ListedEntry, listEntries } from '@/lib/audit/listing-store';
import type { Runtime } from '@/lib/runtime/runtime';

const PAGE = 50;

export type EntryView = ListedEntry;

interface EntryPage {
  readonly entries: readonly EntryView[];
  /** The cursor of the next, older page. Null if there is none. */
  readonly older: string | null;
}

/** Returns a page of the audit log, newest first, or null if the role may not see it. Only owners see sign-ins of members. */
export async function listAudit(
  { db }: Pick<Runtime, 'db'>,
  access: MerchantAccess,
  { filter, before }: { readonly filter: AuditFilter; readonly before: string | null },
): Promise<EntryPage | null> {
  if (!may(access, 'audit.view')) return null;
  const found = await listEntries(db, access.scope, { filter, before, people: access.role === 'owner', limit: PAGE + 1 });
  const entries = found.slice(0, PAGE);
  return { entries, older: found.length > PAGE ? (entries.at(-1)?.id ?? null) : null };
}
