import { hash } from 'node:crypto';
import { type MerchantAccess, may } from '@/lib/accounts/access/grant-access';
import { countAttempt } from '@/lib/accounts/sign-in/throttle-store';
import { hasInfo } from '@/lib/bills/bill-info';
import { isUuid } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import { oneLine } from '@/lib/core/text';
import { findProfile } from '@/lib/merchants/profile-store';
import type { Runtime } from '@/lib/runtime/runtime';
import { type FileProblem, readBillFile } from './import-file';
import { findUsedReferences, insertImportRows } from './import-rows-store';
import { type CheckedRow, checkRows, hasError } from './import-rules';
import { deleteDraftsAbove } from './import-run-store';
import { findImport, insertImport } from './import-store';

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
  const file = await readBillFile(bytes);
  if (!file.ok) return file;
  const references = [...new Set(file.value.rows.map(({ typed }) => typed.reference.trim().toWellFormed().replaceAll('\0', '')))];
  const uniqueReferences = (await findProfile(db, scope))?.uniqueReferences ?? false;
  const used = await findUsedReferences(db, scope, references);
  const rows = await checkRows(file.value.rows, { maxShillings: settings.MAX_BILL_AMOUNT, uniqueReferences, used });
  const validRows = rows.filter((row) => !hasError(row));
  return db.transaction(async (tx) => {
    const inserted = await insertImport(tx, {
      id: formId,
      ...scope,
      fileName: oneLine(oneLine(fileName).slice(0, NAME_MAX)) || 'bills.csv',
      encoding: file.value.encoding,
      rowsHash: hashRows(rows),
      rowCount: rows.length,
      errorCount: rows.length - validRows.length,
      warningCount: validRows.filter(({ problems }) => problems.length > 0).length,
      total: validRows.reduce((sum, { amount }) => sum + (amount ?? 0n), 0n),
      createdBy: actor.name,
      createdById: user.id,
      createdAt: clock(),
    });
    if (inserted) {
      await insertImportRows(tx, formId, rows);
      await deleteDraftsAbove(tx, scope, DRAFTS_MAX);
    } else if (!(await findImport(tx, scope, formId))) return fail({ kind: 'form_invalid' });
    return ok(formId);
  });
}

function hashRows(rows: readonly CheckedRow[]): string {
  return hash(
    'sha256',
    JSON.stringify(
      rows.map((row) => {
        const { number, amount, reference, mobile, customerName, description, dueAt } = row;
        // Older versions of Bili, without optional values, hashed four values per row. A row that has none still gets the same hash.
        return [number, `${amount}`, reference, mobile, ...(hasInfo(row) ? [customerName, description, dueAt] : [])];
      }),
    ),
    'hex',
  );
}
