-- CreateEnum
CREATE TYPE "environment" AS ENUM ('live', 'sandbox');

-- CreateEnum
CREATE TYPE "profile_status" AS ENUM ('pending', 'active', 'suspended', 'closed');

-- CreateEnum
CREATE TYPE "role" AS ENUM ('owner', 'admin', 'viewer');

-- CreateEnum
CREATE TYPE "bill_status" AS ENUM ('NOT_PAID', 'PARTIALLY_PAID', 'FULLY_PAID');

-- CreateEnum
CREATE TYPE "attempt_state" AS ENUM ('QUEUED', 'SENDING', 'AWAITING_CUSTOMER', 'UNKNOWN', 'SUCCEEDED', 'FAILED', 'EXPIRED', 'CANCELLED');

-- CreateEnum
CREATE TYPE "attempt_source" AS ENUM ('api', 'web');

-- CreateEnum
CREATE TYPE "message_kind" AS ENUM ('answer', 'status', 'callback');

-- CreateEnum
CREATE TYPE "payment_kind" AS ENUM ('payment', 'reversal');

-- CreateEnum
CREATE TYPE "delivery_state" AS ENUM ('BLOCKED', 'PENDING', 'DELIVERED', 'EXHAUSTED');

-- CreateTable
CREATE TABLE "merchant" (
    "id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "merchant_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "merchant_profile" (
    "merchant_id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "status" "profile_status" NOT NULL,
    "unique_references" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "merchant_profile_pkey" PRIMARY KEY ("merchant_id","environment")
);

-- CreateTable
CREATE TABLE "user" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "password_hash" TEXT NOT NULL,
    "operator" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "user_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "membership" (
    "merchant_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "role" "role" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "membership_pkey" PRIMARY KEY ("merchant_id","user_id")
);

-- CreateTable
CREATE TABLE "session" (
    "id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "user_id" UUID NOT NULL,
    "user_agent" TEXT,
    "address" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "invitation" (
    "id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "role" "role" NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "accepted_at" TIMESTAMPTZ(3),

    CONSTRAINT "invitation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_key" (
    "id" TEXT NOT NULL,
    "merchant_id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "label" TEXT NOT NULL,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "bill" (
    "id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "amount" BIGINT NOT NULL,
    "reference" TEXT NOT NULL,
    "unique_reference" TEXT,
    "mobile" TEXT,
    "paid_amount" BIGINT NOT NULL DEFAULT 0,
    "reserved_amount" BIGINT NOT NULL DEFAULT 0,
    "status" "bill_status" NOT NULL DEFAULT 'NOT_PAID',
    "event_count" INTEGER NOT NULL DEFAULT 1,
    "version" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "paid_at" TIMESTAMPTZ(3),
    "closed_at" TIMESTAMPTZ(3),

    CONSTRAINT "bill_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "push_attempt" (
    "id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "bill_id" UUID NOT NULL,
    "provider_account_id" UUID,
    "source" "attempt_source" NOT NULL,
    "mobile" TEXT NOT NULL,
    "network" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "our_reference" TEXT NOT NULL,
    "provider_reference" TEXT,
    "state" "attempt_state" NOT NULL DEFAULT 'QUEUED',
    "failure_reason" TEXT,
    "send_count" INTEGER NOT NULL DEFAULT 0,
    "query_count" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3),
    "lease_until" TIMESTAMPTZ(3),
    "lease_token" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "sent_at" TIMESTAMPTZ(3),
    "settled_at" TIMESTAMPTZ(3),

    CONSTRAINT "push_attempt_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "provider_account" (
    "id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "merchant_id" UUID,
    "provider" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "networks" TEXT[],
    "encrypted_credentials" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "disabled_at" TIMESTAMPTZ(3),

    CONSTRAINT "provider_account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "provider_message" (
    "id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "provider_account_id" UUID NOT NULL,
    "attempt_id" UUID,
    "kind" "message_kind" NOT NULL,
    "http_status" INTEGER,
    "headers" JSONB NOT NULL,
    "body" BYTEA NOT NULL,
    "error" TEXT,
    "received_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "provider_message_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "payment" (
    "id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "merchant_id" UUID,
    "provider_account_id" UUID NOT NULL,
    "provider_transaction_id" TEXT NOT NULL,
    "kind" "payment_kind" NOT NULL,
    "attempt_id" UUID,
    "amount" BIGINT NOT NULL,
    "mobile" TEXT,
    "late" BOOLEAN NOT NULL DEFAULT false,
    "recorded_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payment_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "payment_allocation" (
    "id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "payment_id" UUID NOT NULL,
    "bill_id" UUID NOT NULL,
    "amount" BIGINT NOT NULL,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payment_allocation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "bill_event" (
    "bill_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "merchant_id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "type" TEXT NOT NULL,
    "data" JSONB NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "bill_event_pkey" PRIMARY KEY ("bill_id","number")
);

-- CreateTable
CREATE TABLE "webhook_endpoint" (
    "id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "url" TEXT,
    "encrypted_secret" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_endpoint_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_delivery" (
    "id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "endpoint_id" UUID NOT NULL,
    "bill_id" UUID NOT NULL,
    "event_number" INTEGER NOT NULL,
    "bill_status" "bill_status" NOT NULL,
    "body" BYTEA NOT NULL,
    "state" "delivery_state" NOT NULL,
    "attempt_count" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3),
    "lease_until" TIMESTAMPTZ(3),
    "lease_token" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "settled_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_delivery_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_attempt" (
    "id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "delivery_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "url" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "duration_ms" INTEGER NOT NULL,
    "http_status" INTEGER,
    "response_headers" JSONB NOT NULL,
    "response_body" BYTEA NOT NULL,
    "error_class" TEXT,
    "error_detail" TEXT,
    "next_attempt_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_attempt_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency_key" (
    "merchant_id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" BYTEA NOT NULL,
    "response" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_key_pkey" PRIMARY KEY ("merchant_id","environment","key")
);

-- CreateTable
CREATE TABLE "audit_entry" (
    "id" UUID NOT NULL,
    "merchant_id" UUID,
    "environment" "environment",
    "actor" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "address" TEXT,
    "data" JSONB NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sandbox_prompt" (
    "reference" TEXT NOT NULL,
    "mobile" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "callback_url" TEXT NOT NULL,
    "receipt" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sandbox_prompt_pkey" PRIMARY KEY ("reference")
);

-- CreateTable
CREATE TABLE "sandbox_step" (
    "reference" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "status" TEXT NOT NULL,
    "announced" BOOLEAN NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "lease_until" TIMESTAMPTZ(3),
    "done_at" TIMESTAMPTZ(3),
    "tries" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "sandbox_step_pkey" PRIMARY KEY ("reference","number")
);

-- CreateIndex
CREATE UNIQUE INDEX "merchant_slug_key" ON "merchant"("slug");

-- CreateIndex
CREATE UNIQUE INDEX "user_email_key" ON "user"("email");

-- CreateIndex
CREATE INDEX "membership_user_id_idx" ON "membership"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "session_token_hash_key" ON "session"("token_hash");

-- CreateIndex
CREATE INDEX "session_user_id_idx" ON "session"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "invitation_token_hash_key" ON "invitation"("token_hash");

-- CreateIndex
CREATE INDEX "invitation_merchant_id_idx" ON "invitation"("merchant_id");

-- CreateIndex
CREATE INDEX "api_key_merchant_id_environment_idx" ON "api_key"("merchant_id", "environment");

-- CreateIndex
CREATE INDEX "bill_merchant_id_environment_id_idx" ON "bill"("merchant_id", "environment", "id");

-- CreateIndex
CREATE INDEX "bill_merchant_id_environment_reference_idx" ON "bill"("merchant_id", "environment", "reference");

-- CreateIndex
CREATE UNIQUE INDEX "bill_merchant_id_environment_unique_reference_key" ON "bill"("merchant_id", "environment", "unique_reference");

-- CreateIndex
CREATE UNIQUE INDEX "push_attempt_our_reference_key" ON "push_attempt"("our_reference");

-- CreateIndex
CREATE INDEX "push_attempt_bill_id_idx" ON "push_attempt"("bill_id");

-- CreateIndex
CREATE INDEX "provider_account_environment_merchant_id_idx" ON "provider_account"("environment", "merchant_id");

-- CreateIndex
CREATE INDEX "provider_message_attempt_id_idx" ON "provider_message"("attempt_id");

-- CreateIndex
CREATE INDEX "provider_message_provider_account_id_received_at_idx" ON "provider_message"("provider_account_id", "received_at");

-- CreateIndex
CREATE INDEX "payment_attempt_id_idx" ON "payment"("attempt_id");

-- CreateIndex
CREATE UNIQUE INDEX "payment_provider_account_id_provider_transaction_id_kind_key" ON "payment"("provider_account_id", "provider_transaction_id", "kind");

-- CreateIndex
CREATE INDEX "payment_allocation_payment_id_idx" ON "payment_allocation"("payment_id");

-- CreateIndex
CREATE INDEX "payment_allocation_bill_id_idx" ON "payment_allocation"("bill_id");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_endpoint_merchant_id_environment_key" ON "webhook_endpoint"("merchant_id", "environment");

-- CreateIndex
CREATE INDEX "webhook_delivery_merchant_id_environment_id_idx" ON "webhook_delivery"("merchant_id", "environment", "id");

-- CreateIndex
CREATE INDEX "webhook_delivery_bill_id_idx" ON "webhook_delivery"("bill_id");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_delivery_endpoint_id_bill_id_event_number_key" ON "webhook_delivery"("endpoint_id", "bill_id", "event_number");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_attempt_delivery_id_number_key" ON "webhook_attempt"("delivery_id", "number");

-- CreateIndex
CREATE INDEX "idempotency_key_expires_at_idx" ON "idempotency_key"("expires_at");

-- CreateIndex
CREATE INDEX "audit_entry_merchant_id_id_idx" ON "audit_entry"("merchant_id", "id");

-- AddForeignKey
ALTER TABLE "merchant_profile" ADD CONSTRAINT "merchant_profile_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "membership" ADD CONSTRAINT "membership_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "membership" ADD CONSTRAINT "membership_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session" ADD CONSTRAINT "session_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invitation" ADD CONSTRAINT "invitation_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_merchant_id_environment_fkey" FOREIGN KEY ("merchant_id", "environment") REFERENCES "merchant_profile"("merchant_id", "environment") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "bill" ADD CONSTRAINT "bill_merchant_id_environment_fkey" FOREIGN KEY ("merchant_id", "environment") REFERENCES "merchant_profile"("merchant_id", "environment") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "push_attempt" ADD CONSTRAINT "push_attempt_bill_id_fkey" FOREIGN KEY ("bill_id") REFERENCES "bill"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "push_attempt" ADD CONSTRAINT "push_attempt_provider_account_id_fkey" FOREIGN KEY ("provider_account_id") REFERENCES "provider_account"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "provider_message" ADD CONSTRAINT "provider_message_provider_account_id_fkey" FOREIGN KEY ("provider_account_id") REFERENCES "provider_account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "provider_message" ADD CONSTRAINT "provider_message_attempt_id_fkey" FOREIGN KEY ("attempt_id") REFERENCES "push_attempt"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payment" ADD CONSTRAINT "payment_provider_account_id_fkey" FOREIGN KEY ("provider_account_id") REFERENCES "provider_account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payment" ADD CONSTRAINT "payment_attempt_id_fkey" FOREIGN KEY ("attempt_id") REFERENCES "push_attempt"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payment_allocation" ADD CONSTRAINT "payment_allocation_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "payment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payment_allocation" ADD CONSTRAINT "payment_allocation_bill_id_fkey" FOREIGN KEY ("bill_id") REFERENCES "bill"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "bill_event" ADD CONSTRAINT "bill_event_bill_id_fkey" FOREIGN KEY ("bill_id") REFERENCES "bill"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_endpoint" ADD CONSTRAINT "webhook_endpoint_merchant_id_environment_fkey" FOREIGN KEY ("merchant_id", "environment") REFERENCES "merchant_profile"("merchant_id", "environment") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_endpoint_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "webhook_endpoint"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_bill_id_fkey" FOREIGN KEY ("bill_id") REFERENCES "bill"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_attempt" ADD CONSTRAINT "webhook_attempt_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "webhook_delivery"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sandbox_step" ADD CONSTRAINT "sandbox_step_reference_fkey" FOREIGN KEY ("reference") REFERENCES "sandbox_prompt"("reference") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What schema.prisma cannot say. prisma/catalogue.txt pins it.

ALTER TABLE "bill"
  ADD CONSTRAINT "bill_amount_positive" CHECK ("amount" > 0),
  ADD CONSTRAINT "bill_paid_not_negative" CHECK ("paid_amount" >= 0),
  ADD CONSTRAINT "bill_reserved_not_negative" CHECK ("reserved_amount" >= 0),
  ADD CONSTRAINT "bill_status_follows_paid_amount" CHECK ("status" = CASE
    WHEN "paid_amount" = 0 THEN 'NOT_PAID'::"bill_status"
    WHEN "paid_amount" < "amount" THEN 'PARTIALLY_PAID'::"bill_status"
    ELSE 'FULLY_PAID'::"bill_status" END);

ALTER TABLE "push_attempt"
  ADD CONSTRAINT "push_attempt_amount_whole_shillings" CHECK ("amount" > 0 AND "amount" % 100 = 0),
  ADD CONSTRAINT "push_attempt_our_reference_form" CHECK ("our_reference" ~ '^[A-Z0-9]{20}$'),
  ADD CONSTRAINT "push_attempt_failure_has_reason" CHECK (("state" = 'FAILED') = ("failure_reason" IS NOT NULL));

ALTER TABLE "payment" ADD CONSTRAINT "payment_amount_positive" CHECK ("amount" > 0);
ALTER TABLE "payment_allocation" ADD CONSTRAINT "payment_allocation_amount_not_zero" CHECK ("amount" <> 0);

-- At most one open prompt per bill and number.
CREATE UNIQUE INDEX "push_attempt_one_open_per_mobile" ON "push_attempt"("bill_id", "mobile")
  WHERE "state" IN ('QUEUED', 'SENDING', 'AWAITING_CUSTOMER', 'UNKNOWN');
-- The workers' queues: settled rows leave them.
CREATE INDEX "push_attempt_due" ON "push_attempt"("due_at") WHERE "due_at" IS NOT NULL;
CREATE INDEX "webhook_delivery_due" ON "webhook_delivery"("endpoint_id", "due_at", "id") WHERE "state" = 'PENDING';
CREATE UNIQUE INDEX "webhook_delivery_one_open_per_bill" ON "webhook_delivery"("endpoint_id", "bill_id") WHERE "state" = 'PENDING';
CREATE INDEX "sandbox_step_due" ON "sandbox_step"("due_at") WHERE "done_at" IS NULL;

CREATE FUNCTION "forbid_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'rows of % are never changed or deleted', TG_TABLE_NAME;
END $$;

CREATE TRIGGER "payment_append_only" BEFORE UPDATE OR DELETE ON "payment" FOR EACH ROW EXECUTE FUNCTION "forbid_change"();
CREATE TRIGGER "payment_allocation_append_only" BEFORE UPDATE OR DELETE ON "payment_allocation" FOR EACH ROW EXECUTE FUNCTION "forbid_change"();

-- A bill's paid amount is the sum of its allocations, at every commit.
CREATE FUNCTION "check_bill_paid_amount"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  checked uuid;
BEGIN
  IF TG_TABLE_NAME = 'bill' THEN checked := NEW."id"; ELSE checked := NEW."bill_id"; END IF;
  IF (SELECT "paid_amount" FROM "bill" WHERE "id" = checked)
     <> (SELECT coalesce(sum("amount"), 0) FROM "payment_allocation" WHERE "bill_id" = checked) THEN
    RAISE EXCEPTION 'paid amount of bill % is not the sum of its allocations', checked;
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER "bill_paid_amount_is_allocated" AFTER UPDATE OF "paid_amount" ON "bill"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW."paid_amount" <> OLD."paid_amount") EXECUTE FUNCTION "check_bill_paid_amount"();
CREATE CONSTRAINT TRIGGER "bill_starts_unpaid" AFTER INSERT ON "bill"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW."paid_amount" <> 0) EXECUTE FUNCTION "check_bill_paid_amount"();
CREATE CONSTRAINT TRIGGER "allocation_counts_on_bill" AFTER INSERT ON "payment_allocation"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "check_bill_paid_amount"();

-- The simulated provider's account, the operator's, for every network.
INSERT INTO "provider_account" ("id", "environment", "provider", "label", "networks", "created_at")
VALUES ('00000000-0000-7000-8000-5a0db0c00001', 'sandbox', 'sandbox', 'Sandbox', '{vodacom,airtel,yas,halotel,ttcl,other}', now());
