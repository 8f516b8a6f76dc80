-- bili: no transaction
-- bill_overdue has replaced it.
DROP INDEX CONCURRENTLY IF EXISTS "bill_unpaid_due";
