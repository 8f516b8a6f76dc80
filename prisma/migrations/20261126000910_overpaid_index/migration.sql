-- bili: no transaction
-- Bills that were paid more than was asked for, which is the amount rounded up to whole shillings: few, whoever has millions of others.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "bill_overpaid" ON "bill"("merchant_id", "environment", "id")
  WHERE "paid_amount" > ("amount" + 99) / 100 * 100;
