ALTER TABLE "push_attempt" ADD COLUMN "acknowledged_at" TIMESTAMPTZ(3), ADD COLUMN "answer_lost_at" TIMESTAMPTZ(3);

-- What is known of the attempts that are open: few, and the due index finds them.
UPDATE "push_attempt" SET "acknowledged_at" = CURRENT_TIMESTAMP WHERE "due_at" IS NOT NULL AND "state" = 'AWAITING_CUSTOMER';
UPDATE "push_attempt" SET "answer_lost_at" = "unknown_since"
WHERE "due_at" IS NOT NULL AND "state" = 'UNKNOWN' AND "provider_account_id" IS NOT NULL;
