import { UserError } from '@/lib/cli/terminal/output';
import { isUuid } from '@/lib/core/ids';
import { showPayments } from '@/lib/payments/ledger/show-payments';
import type { Runtime } from '@/lib/runtime/runtime';

export const NO_PAYMENT = 'There is no such payment. "bili payment show" finds payments by receipt or bill.';
export const UNDER_WAY = 'A reversal of this payment is in progress. "bili payment reversals" shows it.';

/** Returns the id of the payment with this id or receipt. Throws a UserError if there is none or more than one. */
export async function paymentNamed(runtime: Runtime, name: string): Promise<string> {
  if (isUuid(name)) return name;
  const [found, ...others] = await showPayments(runtime, name);
  if (!found) throw new UserError(NO_PAYMENT);
  if (others.length > 0)
    throw new UserError(`Several providers have a receipt ${name}. Give the id of the payment: "bili payment show ${name}" lists them.`);
  return found.payment.id;
}
