import { type MerchantAccess, may } from '@/lib/accounts/access/grant-access';
import { isStillAllowed } from '@/lib/accounts/access/is-still-allowed';
import type { AuditFilter } from '@/lib/audit/filter-rules';
import { type ListedEntry, listEntries } from '@/lib/audit/listing-store';
import { recordEntry } from '@/lib/audit/record-entry';
import { formatCsv } from '@/lib/core/csv';
import type { ReadRuntime, WriteRuntime } from '@/lib/runtime/runtime';

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
