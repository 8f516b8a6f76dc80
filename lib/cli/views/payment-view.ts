import { UserError } from '@/lib/cli/terminal/output';
import { isUuid } from '@/lib/core/ids';
import { formatMoney } from '@/lib/i18n/format';
import type { Balance } from '@/lib/payments/ledger/balance-store';
import { showPayments } from '@/lib/payments/ledger/show-payments';
import type { Runtime } from '@/lib/runtime/runtime';

/** Describes how a payment is allocated. The ids are those that "bili payment correct" takes. */
export function describeBalance({
  payment,
  received,
  reversals,
  corrections,
  allocated,
  unmatched,
  refundedOutside,
  fee,
  happenedAt,
}: Balance): string[] {
  const corrected = received === payment.amount ? '' : ` (corrected to ${formatMoney(received)})`;
  return [
    `${payment.id}  ${payment.environment}  ${payment.transactionId}  ${formatMoney(payment.amount)}${corrected}  ${payment.recordedAt.toISOString()}`,
    ...allocated.map(({ billId, amount }) => `  ${formatMoney(amount)} on bill ${billId}`),
    ...reversals.map(
      ({ id, transactionId, laterReceipt, amount }) =>
        `  ${formatMoney(amount)} reversed (${laterReceipt ?? transactionId}), reversal ${id}`,
    ),
    ...corrections.map(
      ({ correctsId, amount, reason, createdBy, recordedAt }) =>
        `  ${amount < 0n ? '-' : '+'}${formatMoney(amount < 0n ? -amount : amount)} corrected on ${correctsId === payment.id ? 'the payment' : `reversal ${correctsId}`} by ${createdBy}, ${recordedAt.toISOString()}: ${reason}`,
    ),
    ...(happenedAt === null ? [] : [`  paid at ${happenedAt.toISOString()}`]),
    ...(fee === null ? [] : [`  ${formatMoney(fee)} fee of the provider`]),
    ...(refundedOutside > 0n ? [`  ${formatMoney(refundedOutside)} refunded outside`] : []),
    ...(unmatched > 0n || refundedOutside === 0n ? [`  ${formatMoney(unmatched)} unmatched`] : []),
  ];
}

export const NO_PAYMENT = 'There is no such payment. "bili payment show" finds payments by receipt or bill.';
export const UNDER_WAY = 'A reversal of this payment is in progress. "bili payment reversals" shows it.';

/**
 * Returns the id of a payment. Throws a UserError if no payment, or more than one, has the receipt number.
 * @param name the id or the receipt number of the payment.
 */
export async function paymentNamed(runtime: Runtime, name: string): Promise<string> {
  if (isUuid(name)) return name;
  const [found, ...others] = await showPayments(runtime, name);
  if (!found) throw new UserError(NO_PAYMENT);
  if (others.length > 0)
    throw new UserError(`Several providers have a receipt ${name}. Give the id of the payment: "bili payment show ${name}" lists them.`);
  return found.payment.id;
}
