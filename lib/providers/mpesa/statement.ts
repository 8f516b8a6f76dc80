import type { StatementMapping } from '@/lib/providers/port/statement-mapping';

/**
 * The organisation statement that the M-Pesa organisation portal exports as CSV.
 *
 * Sources: three independent programs that read such exports agree on the column names (medium confidence). The programs are from
 * Kenya, whose portal is the same product. In older exports a time starts with the day, in newer exports with the year. How a reversal
 * appears (its reason and its linked transaction) is known with low confidence only. Money out can also be a charge or a settlement to a
 * bank, which reverses nothing.
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
