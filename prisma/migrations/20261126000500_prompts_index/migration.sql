-- bili: no transaction
-- An earlier text of 20261124000300_bill_list dropped this index. Databases that applied the present text have it.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "push_attempt_prompts" ON "push_attempt"("environment", "mobile", "created_at")
  WHERE "state" NOT IN ('SUCCEEDED', 'CANCELLED') AND ("state" <> 'FAILED' OR "provider_account_id" IS NOT NULL);
