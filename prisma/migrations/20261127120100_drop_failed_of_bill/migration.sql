-- bili: no transaction
-- push_attempt_failed has replaced it.
DROP INDEX CONCURRENTLY IF EXISTS "push_attempt_failed_of_bill";
