-- bili: no transaction
-- Bills that wait for money and have a due date. A bill without one is not in the index, so creating it costs nothing more.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "bill_unpaid_due" ON "bill"("merchant_id", "environment", "due_at")
    WHERE "due_at" IS NOT NULL AND "status" <> 'FULLY_PAID' AND "closed_at" IS NULL;
