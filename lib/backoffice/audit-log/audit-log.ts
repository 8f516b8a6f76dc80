import { type Access, isStillAllowed, type MerchantAccess, may } from '@/lib/identity/accounts/access/grant-access';
import type { AuditFilter } from '@/lib/identity/audit/filter-rules';
import { type ListedEntry, listEntries } from '@/lib/identity/audit/listing-store';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import { type Verification, verifyChain } from '@/lib/identity/audit/verify-chain';
import { formatCsv } from '@/lib/platform/core/csv';
import { splitPage } from '@/lib/platform/core/page';
import type { ReadRuntime, Runtime, WriteRuntime } from '@/lib/platform/runtime/runtime';

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
  const { shown, last } = splitPage(found, PAGE);
  return { entries: shown, older: last?.id ?? null };
}

export const FORMATS = ['csv', 'jsonl'] as const;
type ExportFormat = (typeof FORMATS)[number];

const BATCH = 250;
const COLUMNS = ['at', 'number', 'environment', 'actor', 'action', 'subject', 'address', 'data', 'hash', 'id'];

/**
 * Exports the filtered audit log of a merchant, newest first. Reads it in batches, so that a log of any size can be exported. Records the
 * export in the audit log. Stops with an error if the member loses the permission meanwhile. Returns null if the role may not see the log.
 */
export async function exportEntries(
  runtime: WriteRuntime,
  access: MerchantAccess,
  { filter, format }: { readonly filter: AuditFilter; readonly format: ExportFormat },
): Promise<AsyncGenerator<string> | null> {
  if (!may(access, 'audit.view')) return null;
  const { scope, actor } = access;
  const entry = { ...scope, actor, action: 'audit.exported', subject: scope.merchantId };
  await recordEntry(runtime, { ...entry, data: { format } });
  return parts(runtime, access, filter, format);
}

async function* parts(runtime: ReadRuntime, access: MerchantAccess, filter: AuditFilter, format: ExportFormat): AsyncGenerator<string> {
  const { scope, role } = access;
  if (format === 'csv') yield formatCsv([COLUMNS]);
  let before: string | null = null;
  do {
    if (!(await isStillAllowed(runtime, access, 'audit.view')))
      throw new Error('the export stopped: the member who started it may not see the audit log any more');
    const batch: ListedEntry[] = await listEntries(runtime.db, scope, { filter, before, people: role === 'owner', limit: BATCH });
    if (batch.length > 0)
      yield format === 'csv' ? formatCsv(batch.map(toCells)) : batch.map((one) => `${JSON.stringify(toJson(one))}\n`).join('');
    before = batch.length === BATCH ? (batch.at(-1)?.id ?? null) : null;
  } while (before !== null);
}

function toJson({ at, number, environment, actor, action, subject, address, data, hash, id }: ListedEntry) {
  const sealed = { number: number === null ? null : Number(number), hash: hash?.toString('hex') ?? null };
  return { id, at: at.toISOString(), environment, actor, action, subject, address, data, ...sealed };
}

function toCells({ at, number, environment, actor, action, subject, address, data, hash, id }: ListedEntry): readonly string[] {
  const position = number === null ? '' : number.toString();
  const text = JSON.stringify(data);
  return [at.toISOString(), position, environment ?? '', actor, action, subject, address ?? '', text, hash?.toString('hex') ?? '', id];
}

// The running check of each chain. A second request during a check waits for the result of the same check.
const underWay = new Map<string, Promise<Verification>>();

/** Checks every sealed entry of a merchant's audit log. Returns null if the role may not see the log. */
export async function verifyMerchantChain(runtime: Pick<Runtime, 'db' | 'secrets'>, access: Access): Promise<Verification | null> {
  if (!may(access, 'audit.view')) return null;
  const chain = access.scope.merchantId;
  const running = underWay.get(chain) ?? verifyChain(runtime, { chain }).finally(() => underWay.delete(chain));
  underWay.set(chain, running);
  return running;
}
