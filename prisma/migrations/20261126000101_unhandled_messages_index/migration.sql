-- bili: no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "provider_message_unhandled" ON "provider_message"("due_at") WHERE "handled_at" IS NULL;
