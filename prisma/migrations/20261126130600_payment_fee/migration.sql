-- The fee of a payment, if the provider reports it only after the payment was booked. Rows of payment never change.
CREATE TABLE "payment_fee" (
    "payment_id" UUID NOT NULL,
    "amount" BIGINT NOT NULL,
    "recorded_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payment_fee_pkey" PRIMARY KEY ("payment_id"),
    CONSTRAINT "payment_fee_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "payment"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "payment_fee_not_negative" CHECK ("amount" >= 0)
);
CREATE TRIGGER "payment_fee_append_only" BEFORE UPDATE OR DELETE ON "payment_fee" FOR EACH ROW EXECUTE FUNCTION "forbid_change"();
CREATE TRIGGER "payment_fee_not_truncated" BEFORE TRUNCATE ON "payment_fee" FOR EACH STATEMENT EXECUTE FUNCTION "forbid_change"();
