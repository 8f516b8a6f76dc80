import type { StatementMapping } from '@/lib/providers/port/statement-mapping';

/**
 * The canonical format, into which every statement can be converted: CSV in UTF-8 with the columns
 * `transaction_id,type,amount,completed_at,reference,mobile,reversed_transaction_id`. `type` is payment or reversal. `amount` is in
 * shillings, `12500` or `12500.50`. `completed_at` is ISO 8601 with an offset, or `2026-11-20 14:05:09` in East Africa Time.
 * `reversed_transaction_id` is the payment that a reversal reverses.
 */
export const CANONICAL_STATEMENT: StatementMapping = {
  columns: {
    transactionId: 'transaction_id',
    completedAt: 'completed_at',
    reference: 'reference',
    mobile: 'mobile',
    reversedTransactionId: 'reversed_transaction_id',
  },
  amounts: { kind: 'typed', type: 'type', amount: 'amount' },
  instants: ['iso', 'year_first'],
  thousandsSeparator: null,
  completed: null,
  strict: true,
};
