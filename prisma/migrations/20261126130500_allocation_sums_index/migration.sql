-- bili: no transaction
-- The few allocations that count at another time than they were written.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "payment_allocation_counts" ON "payment_allocation"("merchant_id", "environment", "counts_at")
    WHERE "counts_at" IS NOT NULL;
