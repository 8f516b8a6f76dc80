-- bili: no transaction
-- Replaces bill_unpaid_due. It also contains the amounts, so that the sum of all overdue bills needs no rows of the table.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "bill_overdue" ON "bill"("merchant_id", "environment", "due_at") INCLUDE ("amount", "paid_amount")
    WHERE "due_at" IS NOT NULL AND "status" <> 'FULLY_PAID' AND "closed_at" IS NULL;
