-- bili: no transaction
-- The ledger is checked by the payments of each instrument.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "payment_instrument_id_idx" ON "payment"("instrument_id") WHERE "instrument_id" IS NOT NULL;
