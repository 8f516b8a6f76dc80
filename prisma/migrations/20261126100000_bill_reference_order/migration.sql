-- bili: no transaction
-- The API lists the newest bills with a reference. With the id at its end, the index has the order of the list, so that a page reads only
-- its own bills. It replaces the index without the id, and serves the same searches by the start of a reference.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "bill_merchant_id_environment_reference_id_idx" ON "bill"("merchant_id", "environment", "reference" text_pattern_ops, "id");
