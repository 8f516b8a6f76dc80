-- What a customer can pay without a prompt: a number for the menu of a wallet, a code to scan, or a link to the provider's page.
CREATE TYPE "instrument_state" AS ENUM ('ASKED', 'SENDING', 'UNKNOWN', 'ACTIVE', 'ENDED');

CREATE TABLE "instrument" (
    "id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "bill_id" UUID NOT NULL,
    "provider_account_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "our_reference" TEXT NOT NULL,
    "provider_reference" TEXT,
    "state" "instrument_state" NOT NULL,
    "number" TEXT,
    "qr" TEXT,
    "link" TEXT,
    "end_reason" TEXT,
    "failure_reason" TEXT,
    "send_count" INTEGER NOT NULL DEFAULT 0,
    "query_count" INTEGER NOT NULL DEFAULT 0,
    "cancel_refused" BOOLEAN NOT NULL DEFAULT false,
    "hinted" BOOLEAN NOT NULL DEFAULT false,
    "due_at" TIMESTAMPTZ(3),
    "lease_until" TIMESTAMPTZ(3),
    "lease_token" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "sent_at" TIMESTAMPTZ(3),
    "issued_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "closed_at" TIMESTAMPTZ(3),

    CONSTRAINT "instrument_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "instrument_bill_id_fkey" FOREIGN KEY ("bill_id") REFERENCES "bill"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "instrument_provider_account_id_fkey" FOREIGN KEY ("provider_account_id") REFERENCES "provider_account"("id")
        ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "instrument_amount_is_whole" CHECK ("amount" > 0 AND "amount" % 100 = 0),
    CONSTRAINT "instrument_our_reference_form" CHECK ("our_reference" ~ '^[A-Z0-9]{20}$'),
    CONSTRAINT "instrument_issued_has_way" CHECK (
        ("issued_at" IS NOT NULL) = ("number" IS NOT NULL OR "qr" IS NOT NULL OR "link" IS NOT NULL)
        AND ("state" <> 'ACTIVE' OR "issued_at" IS NOT NULL)
    ),
    CONSTRAINT "instrument_end_has_reason" CHECK (
        ("state" = 'ENDED') = ("end_reason" IS NOT NULL) AND ("state" = 'ENDED') = ("ended_at" IS NOT NULL)
        AND ("end_reason" = 'refused') = ("failure_reason" IS NOT NULL)
    )
);
CREATE UNIQUE INDEX "instrument_our_reference_key" ON "instrument"("our_reference");
CREATE INDEX "instrument_bill_id_idx" ON "instrument"("bill_id");
CREATE INDEX "instrument_provider_reference" ON "instrument"("provider_reference") WHERE "provider_reference" IS NOT NULL;
CREATE INDEX "instrument_number" ON "instrument"("number") WHERE "number" IS NOT NULL;
CREATE INDEX "instrument_due" ON "instrument"("due_at") WHERE "due_at" IS NOT NULL;
CREATE UNIQUE INDEX "instrument_one_open_of_kind" ON "instrument"("bill_id", "provider_account_id", "kind") WHERE "state" <> 'ENDED';

ALTER TABLE "payment" ADD COLUMN "instrument_id" UUID,
    ADD CONSTRAINT "payment_instrument_id_fkey" FOREIGN KEY ("instrument_id") REFERENCES "instrument"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    ADD CONSTRAINT "payment_of_attempt_or_instrument" CHECK ("attempt_id" IS NULL OR "instrument_id" IS NULL);

ALTER TABLE "provider_message" ADD COLUMN "instrument_id" UUID,
    ADD CONSTRAINT "provider_message_instrument_id_fkey" FOREIGN KEY ("instrument_id") REFERENCES "instrument"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "merchant_profile" ADD COLUMN "issues_instruments" BOOLEAN NOT NULL DEFAULT false;
