import { hash } from 'node:crypto';
import { hasInfo } from '@/lib/gateway/bills/bill-info';
import { type MerchantAccess, may } from '@/lib/identity/accounts/access/grant-access';
import { countAttempt } from '@/lib/identity/accounts/sign-in/throttle-store';
import { findProfile } from '@/lib/identity/merchants/profile-store';
import { isUuid } from '@/lib/platform/core/ids';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import { oneLine } from '@/lib/platform/core/text';
import { bill, billImport, billImportRow } from '@/lib/platform/db/generated/tables';
import { array, int4, int8, nullable, pick, text, timestamptz } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { type FileProblem, readBillFile } from './import-file';
import { type CheckedRow, checkRows, hasError } from './import-rules';
import { findImport } from './import-store';

const NAME_MAX = 100;
/** Limits the files that a merchant uploads, because each takes up to a second of a core and 5,000 rows of the database. */
const FILES = [{ attempts: 20, seconds: 3_600 }];
/** A merchant keeps this many imports that no member has started. Older ones are deleted. */
export const DRAFTS_MAX = 50;

interface CheckImportOptions {
  /** The id of the form. It becomes the import's id, so that a form that is sent twice creates one import. */
  readonly formId: string;
  readonly fileName: string;
  readonly bytes: Uint8Array;
}

export type CheckImportRefusal = FileProblem | { readonly kind: 'not_allowed' | 'form_invalid' | 'too_many_files' };

const FIND_USED = statement({
  name: 'find used references',
  text: `SELECT r.reference FROM unnest($references::text[]) AS r(reference)
         WHERE EXISTS (SELECT 1 FROM bill b WHERE b.merchant_id = $merchantId AND b.environment = $environment AND b.reference = r.reference)`,
  parameters: { ...pick(bill, 'merchantId environment'), references: array(text) },
  columns: { reference: bill.reference },
});

const INSERT_ROWS = statement({
  name: 'insert rows of an import',
  text: `INSERT INTO bill_import_row (import_id, number, amount, reference, mobile, customer_name, description, due_at, problems)
         SELECT $importId, * FROM unnest($numbers::int[], $amounts::bigint[], $references::text[], $mobiles::text[], $customerNames::text[], $descriptions::text[], $dueDates::timestamptz[], $problems::jsonb[])`,
  parameters: {
    importId: billImportRow.importId,
    numbers: array(int4),
    amounts: array(nullable(int8)),
    references: array(nullable(text)),
    mobiles: array(nullable(text)),
    customerNames: array(nullable(text)),
    descriptions: array(nullable(text)),
    dueDates: array(nullable(timestamptz)),
    problems: array(billImportRow.problems),
  },
});

const DELETE_DRAFTS_ABOVE = statement({
  name: 'delete the oldest imports that were never started',
  text: `WITH draft AS MATERIALIZED (
           SELECT id FROM bill_import WHERE merchant_id = $merchantId AND environment = $environment AND started_at IS NULL
           ORDER BY created_at DESC, id OFFSET $most::int FOR UPDATE SKIP LOCKED
         ), emptied AS (
           DELETE FROM bill_import_row r USING draft WHERE r.import_id = draft.id
         )
         DELETE FROM bill_import i USING draft WHERE i.id = draft.id`,
  parameters: { ...pick(billImport, 'merchantId environment'), most: int4 },
});

/**
 * Checks a file of bills and stores its rows. No bills are created until a member starts the import.
 * Returns the import's id.
 */
export async function checkImport(
  runtime: Pick<Runtime, 'db' | 'clock' | 'settings'>,
  access: MerchantAccess,
  { formId, fileName, bytes }: CheckImportOptions,
): Promise<Result<string, CheckImportRefusal>> {
  if (!may(access, 'bills.import')) return fail({ kind: 'not_allowed' });
  if (!isUuid(formId)) return fail({ kind: 'form_invalid' });
  const { db, clock, settings } = runtime;
  const { scope, user, actor } = access;
  const counter = { key: `import/${scope.merchantId}`, windows: FILES };
  if ((await countAttempt(runtime, [counter])) !== null) return fail({ kind: 'too_many_files' });
  const file = await readBillFile(bytes, scope.merchantId);
  if (!file.ok) return file;
  const references = [...new Set(file.value.rows.map(({ typed }) => typed.reference.trim().toWellFormed().replaceAll('\0', '')))];
  const uniqueReferences = (await findProfile(db, scope))?.uniqueReferences ?? false;
  const used = new Set((await FIND_USED.rows(db, { ...scope, references })).map(({ reference }) => reference));
  const rows = await checkRows(file.value.rows, { maxShillings: settings.MAX_BILL_AMOUNT, uniqueReferences, used });
  const validRows = rows.filter((row) => !hasError(row));
  return db.transaction(async (tx) => {
    const data = {
      id: formId,
      ...scope,
      fileName: oneLine(oneLine(fileName).slice(0, NAME_MAX)) || 'bills.csv',
      encoding: file.value.encoding,
      rowsHash: new Uint8Array(hashRows(rows)),
      rowCount: rows.length,
      errorCount: rows.length - validRows.length,
      warningCount: validRows.filter(({ problems }) => problems.length > 0).length,
      total: validRows.reduce((sum, { amount }) => sum + (amount ?? 0n), 0n),
      createdBy: actor.name,
      createdById: user.id,
      createdAt: clock(),
    };
    if ((await tx.prisma.billImport.createMany({ data, skipDuplicates: true })).count > 0) {
      await INSERT_ROWS.rows(tx, {
        importId: formId,
        numbers: rows.map(({ number }) => number),
        amounts: rows.map(({ amount }) => amount),
        references: rows.map(({ reference }) => reference),
        mobiles: rows.map(({ mobile }) => mobile),
        customerNames: rows.map(({ customerName }) => customerName),
        descriptions: rows.map(({ description }) => description),
        dueDates: rows.map(({ dueAt }) => dueAt),
        problems: rows.map(({ problems }) => JSON.stringify(problems)),
      });
      await DELETE_DRAFTS_ABOVE.rows(tx, { ...scope, most: DRAFTS_MAX });
    } else if (!(await findImport(tx, scope, formId))) return fail({ kind: 'form_invalid' });
    return ok(formId);
  });
}

function hashRows(rows: readonly CheckedRow[]): Buffer {
  return hash(
    'sha256',
    JSON.stringify(
      rows.map((row) => {
        const { number, amount, reference, mobile, customerName, description, dueAt } = row;
        // Older versions of Bili, without optional values, hashed four values per row. A row that has none still gets the same hash.
        return [number, `${amount}`, reference, mobile, ...(hasInfo(row) ? [customerName, description, dueAt] : [])];
      }),
    ),
    'buffer',
  );
}
