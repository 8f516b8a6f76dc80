-- CreateEnum
CREATE TYPE "reversal_state" AS ENUM ('QUEUED', 'SENDING', 'UNKNOWN', 'SUCCEEDED', 'FAILED');
-- CreateEnum
CREATE TYPE "review_kind" AS ENUM ('attempt_unresolved', 'reversal_unresolved', 'contradiction', 'receipt_conflict', 'statement_differs');
-- CreateEnum
CREATE TYPE "reconciliation_finding" AS ENUM ('matched', 'amount_differs', 'ours_only', 'theirs_only', 'outside_period');
-- CreateEnum
CREATE TYPE "reconciliation_action" AS ENUM ('none', 'kept_unmatched', 'settled_attempt', 'booked_reversal', 'opened_review');
-- AlterEnum
ALTER TYPE "message_kind" ADD VALUE 'reversal';
-- AlterTable
ALTER TABLE "payment" ADD COLUMN     "amount_differs" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "reverses_id" UUID;
-- AlterTable
ALTER TABLE "push_attempt" ADD COLUMN     "released_at" TIMESTAMPTZ(3),
ADD COLUMN     "unknown_since" TIMESTAMPTZ(3);
-- CreateTable
CREATE TABLE "refund_mark" (
    "payment_id" UUID NOT NULL,
    "reason" TEXT NOT NULL,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "refund_mark_pkey" PRIMARY KEY ("payment_id")
);
-- CreateTable
CREATE TABLE "reversal_request" (
    "id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "payment_id" UUID NOT NULL,
    "amount" BIGINT NOT NULL,
    "whole" BOOLEAN NOT NULL,
    "our_reference" TEXT NOT NULL,
    "state" "reversal_state" NOT NULL DEFAULT 'QUEUED',
    "failure_reason" TEXT,
    "reason" TEXT NOT NULL,
    "requested_by" TEXT NOT NULL,
    "send_count" INTEGER NOT NULL DEFAULT 0,
    "query_count" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3),
    "lease_until" TIMESTAMPTZ(3),
    "lease_token" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "sent_at" TIMESTAMPTZ(3),
    "settled_at" TIMESTAMPTZ(3),
    CONSTRAINT "reversal_request_pkey" PRIMARY KEY ("id")
);
-- CreateTable
CREATE TABLE "review" (
    "id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "merchant_id" UUID,
    "kind" "review_kind" NOT NULL,
    "attempt_id" UUID,
    "payment_id" UUID,
    "reversal_request_id" UUID,
    "data" JSONB NOT NULL,
    "opened_at" TIMESTAMPTZ(3) NOT NULL,
    "resolved_at" TIMESTAMPTZ(3),
    "resolved_by" TEXT,
    "resolution" TEXT,
    CONSTRAINT "review_pkey" PRIMARY KEY ("id")
);
-- CreateTable
CREATE TABLE "provider_session" (
    "account_id" UUID NOT NULL,
    "credentials_hash" BYTEA NOT NULL,
    "encrypted_token" BYTEA,
    "opened_at" TIMESTAMPTZ(3),
    "usable_at" TIMESTAMPTZ(3),
    "ends_at" TIMESTAMPTZ(3),
    "lease_until" TIMESTAMPTZ(3),
    "lease_token" INTEGER NOT NULL DEFAULT 0,
    CONSTRAINT "provider_session_pkey" PRIMARY KEY ("account_id")
);
-- CreateTable
CREATE TABLE "network_prefix" (
    "prefix" TEXT NOT NULL,
    "network" TEXT NOT NULL,
    CONSTRAINT "network_prefix_pkey" PRIMARY KEY ("prefix")
);
-- CreateTable
CREATE TABLE "reconciliation" (
    "id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "provider_account_id" UUID NOT NULL,
    "period_from" TIMESTAMPTZ(3) NOT NULL,
    "period_to" TIMESTAMPTZ(3) NOT NULL,
    "file_name" TEXT NOT NULL,
    "file_hash" BYTEA NOT NULL,
    "requested_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "completed_at" TIMESTAMPTZ(3),
    CONSTRAINT "reconciliation_pkey" PRIMARY KEY ("id")
);
-- CreateTable
CREATE TABLE "reconciliation_line" (
    "reconciliation_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "finding" "reconciliation_finding" NOT NULL,
    "action" "reconciliation_action" NOT NULL,
    "kind" "payment_kind" NOT NULL,
    "transaction_id" TEXT NOT NULL,
    "statement_amount" BIGINT,
    "ledger_amount" BIGINT,
    "our_reference" TEXT,
    "happened_at" TIMESTAMPTZ(3) NOT NULL,
    "payment_id" UUID,
    "raw" JSONB,
    CONSTRAINT "reconciliation_line_pkey" PRIMARY KEY ("reconciliation_id","number")
);
-- CreateIndex
CREATE UNIQUE INDEX "reversal_request_our_reference_key" ON "reversal_request"("our_reference");
-- CreateIndex
CREATE INDEX "reversal_request_payment_id_idx" ON "reversal_request"("payment_id");
-- CreateIndex
CREATE INDEX "review_attempt_id_idx" ON "review"("attempt_id");
-- CreateIndex
CREATE UNIQUE INDEX "reconciliation_provider_account_id_period_from_period_to_fi_key" ON "reconciliation"("provider_account_id", "period_from", "period_to", "file_hash");
-- CreateIndex
CREATE INDEX "reconciliation_line_transaction_id_idx" ON "reconciliation_line"("transaction_id");
-- CreateIndex
CREATE INDEX "payment_reverses_id_idx" ON "payment"("reverses_id");
-- CreateIndex
CREATE INDEX "payment_provider_account_id_recorded_at_idx" ON "payment"("provider_account_id", "recorded_at");
-- AddForeignKey
ALTER TABLE "payment" ADD CONSTRAINT "payment_reverses_id_fkey" FOREIGN KEY ("reverses_id") REFERENCES "payment"("id") ON DELETE SET NULL ON UPDATE CASCADE;
-- AddForeignKey
ALTER TABLE "refund_mark" ADD CONSTRAINT "refund_mark_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "payment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
-- AddForeignKey
ALTER TABLE "reversal_request" ADD CONSTRAINT "reversal_request_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "payment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
-- AddForeignKey
ALTER TABLE "review" ADD CONSTRAINT "review_attempt_id_fkey" FOREIGN KEY ("attempt_id") REFERENCES "push_attempt"("id") ON DELETE SET NULL ON UPDATE CASCADE;
-- AddForeignKey
ALTER TABLE "review" ADD CONSTRAINT "review_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "payment"("id") ON DELETE SET NULL ON UPDATE CASCADE;
-- AddForeignKey
ALTER TABLE "review" ADD CONSTRAINT "review_reversal_request_id_fkey" FOREIGN KEY ("reversal_request_id") REFERENCES "reversal_request"("id") ON DELETE SET NULL ON UPDATE CASCADE;
-- AddForeignKey
ALTER TABLE "provider_session" ADD CONSTRAINT "provider_session_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "provider_account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
-- AddForeignKey
ALTER TABLE "reconciliation" ADD CONSTRAINT "reconciliation_provider_account_id_fkey" FOREIGN KEY ("provider_account_id") REFERENCES "provider_account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
-- AddForeignKey
ALTER TABLE "reconciliation_line" ADD CONSTRAINT "reconciliation_line_reconciliation_id_fkey" FOREIGN KEY ("reconciliation_id") REFERENCES "reconciliation"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
-- AddForeignKey
ALTER TABLE "reconciliation_line" ADD CONSTRAINT "reconciliation_line_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "payment"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- What schema.prisma cannot say. prisma/catalogue.txt pins it.

UPDATE "push_attempt" SET "unknown_since" = coalesce("sent_at", "created_at") WHERE "state" = 'UNKNOWN';
ALTER TABLE "push_attempt"
  ADD CONSTRAINT "push_attempt_unknown_since_some_time" CHECK (("state" = 'UNKNOWN') = ("unknown_since" IS NOT NULL));

-- A released attempt may still succeed, but no longer keeps its number from being asked again.
DROP INDEX "push_attempt_one_open_per_mobile";
CREATE UNIQUE INDEX "push_attempt_one_open_per_mobile" ON "push_attempt"("bill_id", "mobile")
  WHERE "state" IN ('QUEUED', 'SENDING', 'AWAITING_CUSTOMER', 'UNKNOWN') AND "released_at" IS NULL;

CREATE INDEX "reversal_request_due" ON "reversal_request"("due_at") WHERE "due_at" IS NOT NULL;
CREATE UNIQUE INDEX "reversal_request_one_open_per_payment" ON "reversal_request"("payment_id")
  WHERE "state" IN ('QUEUED', 'SENDING', 'UNKNOWN');
CREATE UNIQUE INDEX "review_one_open_per_subject" ON "review"("kind", coalesce("attempt_id", "reversal_request_id", "payment_id"))
  WHERE "resolved_at" IS NULL;

ALTER TABLE "reversal_request"
  ADD CONSTRAINT "reversal_request_amount_positive" CHECK ("amount" > 0),
  ADD CONSTRAINT "reversal_request_our_reference_form" CHECK ("our_reference" ~ '^[A-Z0-9]{20}$'),
  ADD CONSTRAINT "reversal_request_failure_has_reason" CHECK (("state" = 'FAILED') = ("failure_reason" IS NOT NULL));
ALTER TABLE "review"
  ADD CONSTRAINT "review_has_subject" CHECK (num_nonnulls("attempt_id", "payment_id", "reversal_request_id") > 0),
  ADD CONSTRAINT "review_resolved_by_somebody" CHECK (("resolved_at" IS NULL) = ("resolved_by" IS NULL) AND ("resolved_at" IS NULL) = ("resolution" IS NULL));
ALTER TABLE "network_prefix" ADD CONSTRAINT "network_prefix_form" CHECK ("prefix" ~ '^[67][0-9]$');

-- Payments recorded before this migration are marked like those after it; nothing else of the ledger ever changes.
ALTER TABLE "payment" DISABLE TRIGGER "payment_append_only";
UPDATE "payment" p SET "amount_differs" = true FROM "push_attempt" a WHERE a."id" = p."attempt_id" AND a."amount" <> p."amount";
ALTER TABLE "payment" ENABLE TRIGGER "payment_append_only";
ALTER TABLE "payment" ADD CONSTRAINT "payment_reversal_names_payment" CHECK (("kind" = 'reversal') = ("reverses_id" IS NOT NULL));

CREATE TRIGGER "refund_mark_append_only" BEFORE UPDATE OR DELETE ON "refund_mark" FOR EACH ROW EXECUTE FUNCTION "forbid_change"();

-- What is left of a payment once its allocations and reversals are taken off is never negative, at every commit; and a
-- reversal takes from bills no more than it takes back.
CREATE FUNCTION "check_payment_balance"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  checked uuid;
  original uuid;
  received bigint;
BEGIN
  IF TG_TABLE_NAME = 'payment' THEN checked := NEW."id"; ELSE checked := NEW."payment_id"; END IF;
  SELECT coalesce("reverses_id", "id") INTO original FROM "payment" WHERE "id" = checked;
  SELECT "amount" INTO received FROM "payment" WHERE "id" = original AND "kind" = 'payment';
  IF received IS NULL THEN RAISE EXCEPTION 'reversal % does not reverse a payment', checked; END IF;
  IF received < (SELECT coalesce(sum("amount"), 0) FROM "payment" WHERE "reverses_id" = original) THEN
    RAISE EXCEPTION 'more of payment % is reversed than was received', original;
  END IF;
  IF received < (SELECT coalesce(sum(a."amount"), 0) FROM "payment_allocation" a WHERE a."payment_id" = original)
     + (SELECT coalesce(sum(r."amount" + coalesce((SELECT sum(a."amount") FROM "payment_allocation" a WHERE a."payment_id" = r."id"), 0)), 0)
        FROM "payment" r WHERE r."reverses_id" = original) THEN
    RAISE EXCEPTION 'more of payment % is allocated than there is', original;
  END IF;
  IF EXISTS (SELECT 1 FROM "payment_allocation" a JOIN "payment" p ON p."id" = a."payment_id"
             WHERE coalesce(p."reverses_id", p."id") = original AND (p."kind" = 'payment') <> (a."amount" > 0)) THEN
    RAISE EXCEPTION 'an allocation of payment % has the wrong sign', original;
  END IF;
  IF EXISTS (SELECT 1 FROM "payment" r WHERE r."reverses_id" = original
             AND -(SELECT coalesce(sum(a."amount"), 0) FROM "payment_allocation" a WHERE a."payment_id" = r."id") > r."amount") THEN
    RAISE EXCEPTION 'a reversal of payment % takes more from bills than it takes back', original;
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER "allocation_fits_payment" AFTER INSERT ON "payment_allocation"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "check_payment_balance"();
CREATE CONSTRAINT TRIGGER "reversal_fits_payment" AFTER INSERT ON "payment"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW."kind" = 'reversal') EXECUTE FUNCTION "check_payment_balance"();

-- TCRA's numbering plan as followed by ClickPesa's tanzanian-phone-validator 1.1.8 (June 2026).
INSERT INTO "network_prefix" ("prefix", "network") VALUES
  ('61', 'halotel'), ('62', 'halotel'), ('63', 'halotel'),
  ('65', 'yas'), ('67', 'yas'), ('70', 'yas'), ('71', 'yas'), ('77', 'yas'),
  ('66', 'airtel'), ('68', 'airtel'), ('69', 'airtel'), ('78', 'airtel'),
  ('73', 'ttcl'),
  ('74', 'vodacom'), ('75', 'vodacom'), ('76', 'vodacom'), ('79', 'vodacom');
