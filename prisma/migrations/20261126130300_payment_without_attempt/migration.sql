-- bili: no transaction
-- Few payments have no attempt. This finds those of a merchant's own accounts, for the merchant's lists of unmatched money.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "payment_without_attempt" ON "payment"("provider_account_id", "recorded_at")
    WHERE "attempt_id" IS NULL AND "kind" = 'payment';
