-- What the overview shows besides daily sums: payments by network and hour, and unpaid bills by the day of their creation.

-- A version that does not know the new tables moves only `covered_to`.
ALTER TABLE "rollup" ADD COLUMN "hours_to" DATE;
-- Workers fill the new tables at once.
UPDATE "rollup" SET "due_at" = now();

CREATE TABLE "payment_hour" (
    "merchant_id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "day" DATE NOT NULL,
    "network" TEXT NOT NULL,
    "hour" SMALLINT NOT NULL,
    "amount" BIGINT NOT NULL,
    "payments" INTEGER NOT NULL,

    CONSTRAINT "payment_hour_pkey" PRIMARY KEY ("merchant_id", "environment", "day", "network", "hour"),
    CONSTRAINT "payment_hour_merchant_id_environment_fkey" FOREIGN KEY ("merchant_id", "environment")
        REFERENCES "merchant_profile"("merchant_id", "environment") ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE TABLE "unpaid_day" (
    "merchant_id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "day" DATE NOT NULL,
    "bills" INTEGER NOT NULL,
    "amount" BIGINT NOT NULL,

    CONSTRAINT "unpaid_day_pkey" PRIMARY KEY ("merchant_id", "environment", "day"),
    CONSTRAINT "unpaid_day_merchant_id_environment_fkey" FOREIGN KEY ("merchant_id", "environment")
        REFERENCES "merchant_profile"("merchant_id", "environment") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- Rows are only added, so that no payment waits for another.
CREATE TABLE "unpaid_change" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "merchant_id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "day" DATE NOT NULL,
    "bills" INTEGER NOT NULL,
    "amount" BIGINT NOT NULL,

    CONSTRAINT "unpaid_change_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "unpaid_change_merchant_id_environment_day_idx" ON "unpaid_change"("merchant_id", "environment", "day");

CREATE FUNCTION "note_unpaid_change"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  was_unpaid int := (OLD.status <> 'FULLY_PAID' AND OLD.closed_at IS NULL)::int;
  is_unpaid int := (NEW.status <> 'FULLY_PAID' AND NEW.closed_at IS NULL)::int;
BEGIN
  INSERT INTO unpaid_change (merchant_id, environment, day, bills, amount)
  VALUES (OLD.merchant_id, OLD.environment, (OLD.created_at AT TIME ZONE 'UTC' + interval '3 hours')::date, is_unpaid - was_unpaid,
    is_unpaid * (NEW.amount - NEW.paid_amount) - was_unpaid * (OLD.amount - OLD.paid_amount));
  RETURN NULL;
END
$$;
-- The bills of today are counted, so their changes are not noted. Most bills are paid on the day of their creation.
CREATE TRIGGER "bill_unpaid_changed" AFTER UPDATE OF "status", "paid_amount", "closed_at", "amount" ON "bill" FOR EACH ROW
    WHEN ((OLD.created_at AT TIME ZONE 'UTC' + interval '3 hours')::date <> (now() AT TIME ZONE 'UTC' + interval '3 hours')::date
      AND (OLD.status, OLD.paid_amount, OLD.closed_at, OLD.amount) IS DISTINCT FROM (NEW.status, NEW.paid_amount, NEW.closed_at, NEW.amount))
    EXECUTE FUNCTION "note_unpaid_change"();
