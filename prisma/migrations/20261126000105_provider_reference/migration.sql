-- bili: no transaction
-- By which a callback is matched that does not name our reference.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "push_attempt_provider_reference" ON "push_attempt"("provider_reference") WHERE "provider_reference" IS NOT NULL;
