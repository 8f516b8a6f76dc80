-- bili: no transaction
-- The bill list finds the bills of failed requests in this index alone, also on one network or in a period. It replaces push_attempt_failed.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "push_attempt_failure" ON "push_attempt"("merchant_id", "environment", "failure_reason", "bill_id")
  INCLUDE ("state", "network", "settled_at") WHERE "state" IN ('FAILED', 'EXPIRED');
