import type { Bill } from './rules';

/**
 * Checks of the webhook receiver (lib/backoffice/receiver-check) create bills in the sandbox. All of these bills have a
 * reference of this form, the same amount and no number. Lists and sums leave them out, because nobody is to pay them.
 */
const REFERENCE = '^CHECK-[A-Z0-9]{8}$';
const AMOUNT = 100_000n;

export function isCheckBill({
  environment,
  reference,
  amount,
  mobile,
}: Pick<Bill, 'environment' | 'reference' | 'amount' | 'mobile'>): boolean {
  return environment === 'sandbox' && mobile === null && amount === AMOUNT && new RegExp(REFERENCE).test(reference);
}

/** Returns the SQL of `isCheckBill` for a bill of the sandbox. `alias` is the table's alias with its dot. */
export function checkBillSql(alias = ''): string {
  return `(${alias}mobile IS NULL AND ${alias}amount = ${AMOUNT} AND ${alias}reference ~ '${REFERENCE}')`;
}
