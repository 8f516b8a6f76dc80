import { formatMoney } from '@/lib/i18n/format';
import type { Balance } from '@/lib/payments/ledger/balance-store';

/** Describes how a payment is allocated. The ids are those that "bili payment correct" takes. */
export function describeBalance({ payment, received, reversals, corrections, allocated, unmatched, refundedOutside }: Balance): string[] {
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
    `  ${formatMoney(unmatched)} ${refundedOutside ? 'refunded outside' : 'unmatched'}`,
  ];
}
