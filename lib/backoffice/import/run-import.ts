import { networkByPrefix } from '@/lib/gateway/networks/store';
import { isStillAllowed, type MerchantAccess, may } from '@/lib/identity/accounts/access/grant-access';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import { findProfile } from '@/lib/identity/merchants/profile-store';
import { isUuid, newId, newPaymentReference } from '@/lib/platform/core/ids';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import { ADVISORY_LOCKS } from '@/lib/platform/db/advisory-locks';
import { bill, billImport, billImportRow } from '@/lib/platform/db/generated/tables';
import { array, boolean, int4, nothing, nullable, pick, text, timestamptz, uuid } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { type BillImport, countImported, findImport, findImportOfSameRows, type ImportCounts } from './import-store';

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

/** Locks the rows' hash, so that only one transaction at a time decides whether the same rows were imported before. */
const LOCK_ROWS = statement({
  name: 'lock the rows of an import',
  text: `SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.importRows}, hashtext($rows)) AS locked`,
  parameters: { rows: text },
  columns: { locked: nothing },
});

/** Locks an import, so that only one request at a time creates its bills. Finds nothing if it was deleted. */
const LOCK_IMPORT = statement({
  name: 'lock an import',
  text: `SELECT started_at AS "startedAt", finished_at AS "finishedAt", ask_phones AS "askPhones" FROM bill_import WHERE id = $id FOR UPDATE`,
  parameters: { id: billImport.id },
  columns: pick(billImport, 'startedAt finishedAt askPhones'),
});

async function start(
  runtime: Needs,
  { scope, actor }: MerchantAccess,
  file: BillImport,
  { askPhones, again }: RunImportOptions,
): Promise<RunImportRefusal | null> {
  return runtime.db.transaction(async (tx) => {
    await LOCK_ROWS.rows(tx, { rows: `${scope.merchantId}:${file.rowsHash}` });
    const locked = await LOCK_IMPORT.first(tx, { id: file.id });
    if (!locked) return 'not_found';
    if ((await findProfile(tx, scope))?.status !== 'active') return 'inactive';
    if (locked.startedAt !== null) return null;
    if (!again && (await findImportOfSameRows(tx, file))) return 'made_before';
    await tx.prisma.billImport.updateMany({ where: { id: file.id }, data: { startedAt: runtime.clock(), askPhones } });
    const { fileName, rowCount, total, rowsHash } = file;
    const data = { file: fileName, bills: rowCount, amount: total.toString(), askPhones, rowsHash };
    await recordEntry(runtime, { ...scope, actor, action: 'bills.imported', subject: file.id, data }, tx);
    return null;
  });
}

/**
 * Creates the bills of rows and stores each bill's id in its row, all in one statement, so an interruption leaves a row either finished or
 * due. If references must be unique and another bill got a row's reference after the rows were checked, the row is marked as refused.
 */
const CREATE_BILLS = statement({
  name: 'make-imported-bills',
  text: `
WITH input AS (
  SELECT u.*, r.amount, r.reference, r.mobile, r.customer_name, r.description, r.due_at, CASE WHEN u.prompt IS NOT NULL THEN (r.amount + 99) / 100 * 100 ELSE 0 END AS asked
  FROM unnest($numbers::int[], $billIds::uuid[], $promptIds::uuid[], $ourReferences::text[]) AS u(number, bill, prompt, our_reference)
  JOIN bill_import_row r ON r.import_id = $importId::uuid AND r.number = u.number
), created AS (
  INSERT INTO bill (id, merchant_id, environment, amount, reference, unique_reference, mobile, created_at, reserved_amount, created_by_id, customer_name, description, due_at)
  SELECT bill, $merchantId::uuid, $environment::environment, amount, reference, CASE WHEN $uniqueReferences::boolean THEN reference END, mobile, $now::timestamptz, asked, $createdById::uuid, customer_name, description, due_at FROM input
  ON CONFLICT (merchant_id, environment, unique_reference) WHERE unique_reference IS NOT NULL DO NOTHING
  RETURNING id
), noted AS (
  INSERT INTO bill_event (bill_id, number, merchant_id, environment, type, data, at)
  SELECT id, 1, $merchantId::uuid, $environment::environment, 'bill.created', jsonb_build_object('by', $createdBy::text, 'import', $importId::uuid), $now::timestamptz FROM created
), queued AS (
  INSERT INTO push_attempt (id, merchant_id, environment, bill_id, source, mobile, network, amount, our_reference, state, due_at, created_at)
  SELECT prompt, $merchantId::uuid, $environment::environment, bill, 'api', mobile, ${networkByPrefix('mobile')}, asked, our_reference, 'QUEUED', $now::timestamptz, $now::timestamptz
  FROM input JOIN created ON created.id = input.bill WHERE prompt IS NOT NULL
)
UPDATE bill_import_row r SET bill_id = created.id, refused = CASE WHEN created.id IS NULL THEN 'reference_used' END
FROM input LEFT JOIN created ON created.id = input.bill
WHERE r.import_id = $importId::uuid AND r.number = input.number`,
  parameters: {
    numbers: array(int4),
    billIds: array(uuid),
    promptIds: array(nullable(uuid)),
    ourReferences: array(nullable(text)),
    importId: billImportRow.importId,
    ...pick(bill, 'merchantId environment'),
    uniqueReferences: boolean,
    now: timestamptz,
    createdById: uuid,
    createdBy: text,
  },
  prepared: true,
});

/** Creates the bills of the next chunk. Returns false if no row was left, or the import is finished or deleted. */
async function createChunk(runtime: Needs, { scope }: MerchantAccess, file: BillImport): Promise<boolean> {
  return runtime.db.transaction(async (tx) => {
    const locked = await LOCK_IMPORT.first(tx, { id: file.id });
    if (!locked || locked.finishedAt !== null) return false;
    const due = await tx.prisma.billImportRow.findMany({
      where: { importId: file.id, billId: null, refused: null },
      select: { number: true, mobile: true },
      orderBy: { number: 'asc' },
      take: CHUNK,
    });
    const now = runtime.clock();
    if (due.length === 0) {
      await tx.prisma.billImport.updateMany({ where: { id: file.id }, data: { finishedAt: now } });
      return false;
    }
    const uniqueReferences = (await findProfile(tx, scope))?.uniqueReferences ?? false;
    const { createdBy, createdById } = file;
    const rows = withIds(runtime, due, locked.askPhones, now);
    await CREATE_BILLS.rows(tx, { ...scope, importId: file.id, createdBy, createdById, uniqueReferences, now, ...rows });
    return true;
  });
}

/** Bills are listed by id, and new ids of the same millisecond are random. The ids are sorted, so the bills have the order of the rows. */
function withIds(
  { random }: Needs,
  due: readonly { readonly number: number; readonly mobile: string | null }[],
  askPhones: boolean,
  now: Date,
) {
  const clock = () => now;
  const ids = due.map(() => newId({ clock, random })).sort();
  const prompts = due.map(({ mobile }) =>
    askPhones && mobile !== null ? { id: newId({ clock, random }), ourReference: newPaymentReference(random) } : null,
  );
  return {
    numbers: due.map(({ number }) => number),
    billIds: ids,
    promptIds: prompts.map((prompt) => prompt?.id ?? null),
    ourReferences: prompts.map((prompt) => prompt?.ourReference ?? null),
  };
}
