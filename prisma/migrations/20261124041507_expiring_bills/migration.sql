-- bili: no transaction
-- Bills that a worker must close when they expire. A bill without an expiry is not in the index, so creating it costs nothing more.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "bill_expiring" ON "bill"("expires_at")
    WHERE "expires_at" IS NOT NULL AND "status" <> 'FULLY_PAID' AND "closed_at" IS NULL;
