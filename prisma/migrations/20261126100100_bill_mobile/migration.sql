-- bili: no transaction
-- The API lists the newest bills with a number.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "bill_mobile" ON "bill"("merchant_id", "environment", "mobile", "id") WHERE "mobile" IS NOT NULL;
