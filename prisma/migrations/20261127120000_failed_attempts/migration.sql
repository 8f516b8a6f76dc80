-- bili: no transaction
-- The bill list finds the bills whose request failed, for any reason or for one, in this index alone. It replaces the index without reason.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "push_attempt_failed" ON "push_attempt"("merchant_id", "environment", "failure_reason", "bill_id") INCLUDE ("state")
  WHERE "state" IN ('FAILED', 'EXPIRED');
