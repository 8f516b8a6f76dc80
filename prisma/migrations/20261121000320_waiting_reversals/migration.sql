ALTER TABLE "reconciliation_line" ADD COLUMN "reversed_transaction_id" TEXT;

-- Reversals of payments that the ledger did not have: they wait for the payment.
CREATE INDEX "reconciliation_line_waiting" ON "reconciliation_line"("reversed_transaction_id")
  WHERE "reversed_transaction_id" IS NOT NULL AND "payment_id" IS NULL;
