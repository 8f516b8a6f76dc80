import { type MerchantAccess, may } from '@/lib/accounts/access/grant-access';
import { isStillAllowed } from '@/lib/accounts/access/is-still-allowed';
import { recordEntry } from '@/lib/audit/record-entry';
import { isUuid, newId, newPaymentReference } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import { findProfile } from '@/lib/merchants/profile-store';
import type { Runtime } from '@/lib/runtime/runtime';
import { countImported, type ImportCounts } from './import-rows-store';
import { createImportedBills, type DueRow, listDueRows, lockImport, lockRows, markFinished, markStarted } from './import-run-store';
import { type BillImport, findImport, findImportOfSameRows } from './import-store';

/** Bills per transaction. */
const CHUNK = 250;

interface RunImportOptions {
  readonly id: string;
  /** The hash of the rows that the member has seen. */
  readonly rowsHash: string;
  /** Whether prompts are sent to the mobile numbers of the rows. It is ignored when an import is continued. */
  readonly askPhones: boolean;
  /** Whether the member has confirmed the import although the same rows were imported before. */
  readonly again: boolean;
}

export type RunImportRefusal = 'not_allowed' | 'not_found' | 'has_errors' | 'changed' | 'inactive' | 'made_before';

type Needs = Pick<Runtime, 'db' | 'clock' | 'random'>;

/**
 * Creates the bills of a checked file in chunks. After an interruption, calling it again continues the import, and two concurrent calls
 * share the work. A row never gets two bills, because the same statement creates the bill and marks the row.
 * Returns the number of created bills, and of rows that were refused since the check.
 */
export async function runImport(
  runtime: Needs,
  access: MerchantAccess,
  options: RunImportOptions,
): Promise<Result<Pick<ImportCounts, 'made' | 'refused'>, RunImportRefusal>> {
  if (!may(access, 'bills.import')) return fail('not_allowed');
  const { db } = runtime;
  const file = isUuid(options.id) ? await findImport(db, access.scope, options.id) : undefined;
  if (!file) return fail('not_found');
  if (file.errorCount > 0) return fail('has_errors');
  if (file.rowsHash !== options.rowsHash) return fail('changed');
  const refusal = await start(runtime, access, file, options);
  if (refusal) return fail(refusal);
  do {
    if (!(await isStillAllowed(runtime, access, 'bills.import'))) return fail('not_allowed');
  } while (await createChunk(runtime, access, file));
  const { made, refused } = await countImported(db, file.id);
  return ok({ made, refused });
}

async function start(
  runtime: Needs,
  { scope, actor }: MerchantAccess,
  file: BillImport,
  { askPhones, again }: RunImportOptions,
): Promise<RunImportRefusal | null> {
  return runtime.db.transaction(async (tx) => {
    await lockRows(tx, file);
    const locked = await lockImport(tx, file.id);
    if (!locked) return 'not_found';
    if ((await findProfile(tx, scope))?.status !== 'active') return 'inactive';
    if (locked.startedAt !== null) return null;
    if (!again && (await findImportOfSameRows(tx, file))) return 'made_before';
    await markStarted(tx, file.id, askPhones, runtime.clock());
    const { fileName, rowCount, total, rowsHash } = file;
    const data = { file: fileName, bills: rowCount, amount: total.toString(), askPhones, rowsHash };
    await recordEntry(runtime, { ...scope, actor, action: 'bills.imported', subject: file.id, data }, tx);
    return null;
  });
}

/** Creates the bills of the next chunk. Returns false if no row was left, or the import is finished or deleted. */
async function createChunk(runtime: Needs, { scope }: MerchantAccess, file: BillImport): Promise<boolean> {
  return runtime.db.transaction(async (tx) => {
    const locked = await lockImport(tx, file.id);
    if (!locked || locked.finishedAt !== null) return false;
    const due = await listDueRows(tx, file.id, CHUNK);
    const now = runtime.clock();
    if (due.length === 0) {
      await markFinished(tx, file.id, now);
      return false;
    }
    const uniqueReferences = (await findProfile(tx, scope))?.uniqueReferences ?? false;
    const { createdBy, createdById } = file;
    const rows = withIds(runtime, due, locked.askPhones, now);
    await createImportedBills(tx, { ...scope, importId: file.id, createdBy, createdById, uniqueReferences, now, rows });
    return true;
  });
}

/** Bills are listed by id, and new ids of the same millisecond are random. The ids are sorted, so the bills have the order of the rows. */
function withIds({ random }: Needs, due: readonly DueRow[], askPhones: boolean, now: Date) {
  const clock = () => now;
  const ids = due.map(() => newId({ clock, random })).sort();
  return due.map(({ number, mobile }, index) => ({
    number,
    billId: ids[index] ?? '',
    prompt: askPhones && mobile !== null ? { id: newId({ clock, random }), ourReference: newPaymentReference(random) } : null,
  }));
}
