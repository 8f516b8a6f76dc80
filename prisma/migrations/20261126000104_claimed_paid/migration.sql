ALTER TABLE "push_attempt" ADD COLUMN "claimed_paid_at" TIMESTAMPTZ(3);
