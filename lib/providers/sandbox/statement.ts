import type { StatementMapping } from '@/lib/providers/port/statement-mapping';

/** What `bili simulate statement` writes: a provider's own words, so that reading them is tried in the sandbox too. */
export const SANDBOX_STATEMENT: StatementMapping = {
  columns: {
    transactionId: 'Receipt',
    completedAt: 'Completed',
    reference: 'Reference',
    mobile: 'Phone',
    reversedTransactionId: 'Reverses',
  },
  amounts: { kind: 'typed', type: 'Type', amount: 'Amount' },
  instants: ['iso'],
  thousandsSeparator: ',',
  completed: { column: 'Status', value: 'PAID' },
  strict: false,
};
