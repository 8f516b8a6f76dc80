-- bili: no transaction
-- bill_merchant_id_environment_reference_id_idx has replaced it.
DROP INDEX CONCURRENTLY IF EXISTS "bill_merchant_id_environment_reference_idx";
