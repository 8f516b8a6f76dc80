import type { StatementMapping } from '@/lib/providers/port/statement-mapping';

/** The format that `bili simulate statement` writes. It differs from the canonical one, so that the sandbox also exercises mappings. */
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
