-- bili: no transaction
-- push_attempt_failure has replaced it.
DROP INDEX CONCURRENTLY IF EXISTS "push_attempt_failed";
