-- bili: no transaction
-- bill_due has replaced it.
DROP INDEX CONCURRENTLY IF EXISTS "bill_overdue";
