-- bili: no transaction
-- The data of a number contains the messages about its refunds.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "provider_message_reversal_request_id_idx" ON "provider_message"("reversal_request_id") WHERE "reversal_request_id" IS NOT NULL;
