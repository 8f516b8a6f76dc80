-- bili: no transaction
-- The page of a bill reads the messages about its instruments.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "provider_message_instrument_id_idx" ON "provider_message"("instrument_id") WHERE "instrument_id" IS NOT NULL;
