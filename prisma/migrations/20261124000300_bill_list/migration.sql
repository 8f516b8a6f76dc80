-- The list of bills. A bill's creation writes no more index entries than before: the list of all bills is read off the
-- statuses' lists, and bills without a unique reference are no longer in the index of those.
DROP INDEX "bill_merchant_id_environment_id_idx";
CREATE INDEX "bill_merchant_id_environment_status_id_idx" ON "bill"("merchant_id", "environment", "status", "id");
CREATE INDEX "bill_merchant_id_environment_amount_id_idx" ON "bill"("merchant_id", "environment", "amount", "id");
DROP INDEX "bill_merchant_id_environment_unique_reference_key";
CREATE UNIQUE INDEX "bill_merchant_id_environment_unique_reference_key" ON "bill"("merchant_id", "environment", "unique_reference")
  WHERE "unique_reference" IS NOT NULL;
-- For what begins with a text, whatever the database's collation.
DROP INDEX "bill_merchant_id_environment_reference_idx";
CREATE INDEX "bill_merchant_id_environment_reference_idx" ON "bill"("merchant_id", "environment", "reference" text_pattern_ops);
-- These get a row only later in a bill's life.
CREATE INDEX "bill_paid" ON "bill"("merchant_id", "environment", "paid_at", "id") WHERE "paid_at" IS NOT NULL;
CREATE INDEX "bill_closed" ON "bill"("merchant_id", "environment", "id") WHERE "closed_at" IS NOT NULL;
CREATE INDEX "push_attempt_failed_of_bill" ON "push_attempt"("merchant_id", "environment", "bill_id") WHERE "state" IN ('FAILED', 'EXPIRED');
CREATE INDEX "push_attempt_unknown_of_bill" ON "push_attempt"("merchant_id", "environment", "bill_id") WHERE "state" = 'UNKNOWN';
CREATE INDEX "push_attempt_merchant_id_environment_network_bill_id_idx" ON "push_attempt"("merchant_id", "environment", "network", "bill_id");
-- By which a number finds all of its prompts; push_attempt_prompts has those alone that count towards its limits.
CREATE INDEX "push_attempt_environment_mobile_created_at_idx" ON "push_attempt"("environment", "mobile", "created_at");

-- CreateTable
CREATE TABLE "saved_view" (
    "id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "query" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "saved_view_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "saved_view_user_id_idx" ON "saved_view"("user_id");
CREATE UNIQUE INDEX "saved_view_merchant_id_user_id_name_key" ON "saved_view"("merchant_id", "user_id", "name");
ALTER TABLE "saved_view" ADD CONSTRAINT "saved_view_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "saved_view" ADD CONSTRAINT "saved_view_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
