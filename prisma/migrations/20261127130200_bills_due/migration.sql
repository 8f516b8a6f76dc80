-- bili: no transaction
-- The bill list finds the bills by due date in this index alone. It replaces bill_overdue.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "bill_due" ON "bill"("merchant_id", "environment", "due_at") INCLUDE ("amount", "paid_amount", "status", "id")
  WHERE "due_at" IS NOT NULL AND "status" <> 'FULLY_PAID' AND "closed_at" IS NULL;
