import type { StatementMapping } from '@/lib/providers/port/statement-mapping';

/**
 * The organisation statement that the M-Pesa organisation portal exports as CSV. Column names: MED, three independent
 * readers of such exports agree on them, day-first times in older ones and year-first ones in newer; all from Kenya, whose
 * portal is the same product. How a reversal is told (its reason, its linked transaction): LOW. A charge or a settlement to
 * a bank is money out that reverses nothing.
 */
export const MPESA_STATEMENT: StatementMapping = {
  columns: {
    transactionId: 'Receipt No.',
    completedAt: 'Completion Time',
    reference: 'A/C No.',
    mobile: 'Other Party Info',
    reversedTransactionId: 'Linked Transaction ID',
  },
  amounts: { kind: 'sided', in: 'Paid In', out: 'Withdrawn', reason: 'Reason Type', reversal: /revers/i },
  instants: ['day_first', 'year_first'],
  thousandsSeparator: ',',
  completed: { column: 'Transaction Status', value: 'Completed' },
  strict: false,
};
