-- Money that a person received: in cash, by a bank slip, or in another way.
ALTER TABLE "merchant_profile" ADD COLUMN "cashiers_take_cash" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "payment_allocation" ADD COLUMN "by_hand" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "payment_day" ADD COLUMN "by_hand" BIGINT NOT NULL DEFAULT 0;

CREATE TABLE "payment_record" (
    "payment_id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "request_key" TEXT NOT NULL,
    "request_hash" BYTEA NOT NULL,

    CONSTRAINT "payment_record_pkey" PRIMARY KEY ("payment_id"),
    CONSTRAINT "payment_record_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "payment"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "payment_record_merchant_id_environment_request_key_key" ON "payment_record"("merchant_id", "environment", "request_key");

-- A refund counts as a reversal, and money by hand is marked.
CREATE OR REPLACE FUNCTION "count_allocation"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  entry "payment"%ROWTYPE;
  moved timestamptz;
BEGIN
  SELECT * INTO entry FROM "payment" WHERE "id" = NEW."payment_id";
  IF entry."kind" = 'correction' THEN
    SELECT p.* INTO entry FROM "payment_correction" c JOIN "payment" p ON p."id" = c."corrects_id" WHERE c."id" = NEW."payment_id";
    NEW."counts_as" := CASE WHEN entry."kind" IN ('reversal', 'refund') THEN 'reversal'::"payment_kind" ELSE 'correction'::"payment_kind" END;
  -- The gateway allocates a payment once, when it books it. Only a person allocates it again.
  ELSIF NEW."amount" > 0 AND NEW."created_by" <> 'gateway' THEN
    -- IS NOT DISTINCT FROM: PostgreSQL must find the rows by the payment, not by the merchant.
    IF EXISTS (SELECT 1 FROM "payment_allocation"
               WHERE "payment_id" = NEW."payment_id" AND "merchant_id" IS NOT DISTINCT FROM NEW."merchant_id" AND "id" <> NEW."id") THEN
      NEW."counts_as" := 'correction';
    END IF;
  END IF;
  NEW."by_hand" := coalesce(entry."source" <> 'provider', false);
  moved := coalesce(entry."happened_at", entry."recorded_at");
  IF date_trunc('hour', moved) <> date_trunc('hour', NEW."created_at") THEN
    NEW."counts_at" := moved;
    IF (moved AT TIME ZONE 'UTC' + interval '3 hours')::date <> (NEW."created_at" AT TIME ZONE 'UTC' + interval '3 hours')::date THEN
      INSERT INTO "stale_day" ("merchant_id", "environment", "day")
      VALUES (NEW."merchant_id", NEW."environment", (moved AT TIME ZONE 'UTC' + interval '3 hours')::date);
    END IF;
  END IF;
  RETURN NEW;
END $$;
