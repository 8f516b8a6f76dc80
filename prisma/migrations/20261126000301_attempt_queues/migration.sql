-- bili: no transaction
-- Attempts that no worker has put into an account's queue yet.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "push_attempt_unrouted" ON "push_attempt"("due_at") WHERE "due_at" IS NOT NULL AND "call_account_id" IS NULL;
-- The queues: of each account one for prompts to send, and one for everything else.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "push_attempt_queue" ON "push_attempt"("call_account_id", ("state" = 'QUEUED'), "due_at")
  WHERE "due_at" IS NOT NULL AND "call_account_id" IS NOT NULL;
-- Calls under way.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "push_attempt_under_way" ON "push_attempt"("call_account_id") WHERE "call_token" IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS "push_attempt_calls";
