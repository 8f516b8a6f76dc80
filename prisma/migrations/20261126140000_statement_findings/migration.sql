-- The line names another attempt than the ledger; the ledger has the payment of the line under another receipt number.
ALTER TYPE "reconciliation_finding" ADD VALUE IF NOT EXISTS 'attempt_differs';
ALTER TYPE "reconciliation_finding" ADD VALUE IF NOT EXISTS 'receipt_differs';
