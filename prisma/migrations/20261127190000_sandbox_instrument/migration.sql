-- Payment instruments that the simulated provider has issued, and what was paid through them.
CREATE TABLE "sandbox_instrument" (
    "reference" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "merchant_id" UUID,
    "payee" TEXT NOT NULL,
    "number" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "qr" TEXT,
    "link" TEXT,
    "callback_url" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "closed_at" TIMESTAMPTZ(3),

    CONSTRAINT "sandbox_instrument_pkey" PRIMARY KEY ("reference")
);
CREATE UNIQUE INDEX "sandbox_instrument_number_key" ON "sandbox_instrument"("number");
CREATE INDEX "sandbox_instrument_created_at_idx" ON "sandbox_instrument"("created_at");

CREATE TABLE "sandbox_instrument_payment" (
    "receipt" TEXT NOT NULL,
    "reference" TEXT NOT NULL,
    "mobile" TEXT,
    "amount" BIGINT NOT NULL,
    "paid_at" TIMESTAMPTZ(3) NOT NULL,
    "callbacks_left" INTEGER NOT NULL,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "lease_until" TIMESTAMPTZ(3),

    CONSTRAINT "sandbox_instrument_payment_pkey" PRIMARY KEY ("receipt"),
    CONSTRAINT "sandbox_instrument_payment_reference_fkey" FOREIGN KEY ("reference") REFERENCES "sandbox_instrument"("reference")
        ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "sandbox_instrument_payment_reference_idx" ON "sandbox_instrument_payment"("reference");
CREATE INDEX "sandbox_instrument_payment_mobile_paid_at_idx" ON "sandbox_instrument_payment"("mobile", "paid_at");
CREATE INDEX "sandbox_instrument_payment_paid_at_idx" ON "sandbox_instrument_payment"("paid_at");
CREATE INDEX "sandbox_instrument_payment_due" ON "sandbox_instrument_payment"("paid_at") WHERE "callbacks_left" > 0;
