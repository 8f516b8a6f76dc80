CREATE TABLE "rollup" (
    "merchant_id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "covered_to" DATE,
    "due_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "rollup_pkey" PRIMARY KEY ("merchant_id","environment")
);

CREATE TABLE "payment_day" (
    "merchant_id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "day" DATE NOT NULL,
    "collected" BIGINT NOT NULL,
    "reversed" BIGINT NOT NULL,
    "payments" INTEGER NOT NULL,
    "bills_created" INTEGER NOT NULL,
    "bills_paid" INTEGER NOT NULL,
    "paid_after_ms" BIGINT NOT NULL,

    CONSTRAINT "payment_day_pkey" PRIMARY KEY ("merchant_id","environment","day")
);

CREATE TABLE "attempt_day" (
    "merchant_id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "day" DATE NOT NULL,
    "network" TEXT NOT NULL,
    "state" "attempt_state" NOT NULL,
    "reason" TEXT NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "attempt_day_pkey" PRIMARY KEY ("merchant_id","environment","day","network","state","reason")
);

CREATE TABLE "stale_day" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "merchant_id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "day" DATE NOT NULL,

    CONSTRAINT "stale_day_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "rollup_due_at_idx" ON "rollup"("due_at");
CREATE INDEX "stale_day_merchant_id_environment_day_idx" ON "stale_day"("merchant_id", "environment", "day");
ALTER TABLE "rollup" ADD CONSTRAINT "rollup_merchant_id_environment_fkey" FOREIGN KEY ("merchant_id", "environment") REFERENCES "merchant_profile"("merchant_id", "environment") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "payment_day" ADD CONSTRAINT "payment_day_merchant_id_environment_fkey" FOREIGN KEY ("merchant_id", "environment") REFERENCES "merchant_profile"("merchant_id", "environment") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "attempt_day" ADD CONSTRAINT "attempt_day_merchant_id_environment_fkey" FOREIGN KEY ("merchant_id", "environment") REFERENCES "merchant_profile"("merchant_id", "environment") ON DELETE RESTRICT ON UPDATE CASCADE;

-- A merchant's money and prompts by time: today's are counted from these. An allocation never changes; a prompt gets its entry
-- once, when it ends. Bills paid are found by their allocations: an index on paid_at would end cheap (HOT) updates of bills.
CREATE INDEX "payment_allocation_booked" ON "payment_allocation"("merchant_id", "environment", "created_at", "amount");
CREATE INDEX "push_attempt_settled" ON "push_attempt"("merchant_id", "environment", "settled_at") WHERE "settled_at" IS NOT NULL;

-- What needs attention: few rows each, whoever has millions of others.
CREATE INDEX "push_attempt_unknown_of_merchant" ON "push_attempt"("merchant_id", "environment", "unknown_since") WHERE "state" = 'UNKNOWN';
CREATE INDEX "review_open" ON "review"("merchant_id", "environment", "opened_at") WHERE "resolved_at" IS NULL;
CREATE INDEX "bill_event_unmatched" ON "bill_event"("merchant_id", "environment") WHERE "type" = 'payment.unmatched';
CREATE INDEX "webhook_delivery_exhausted" ON "webhook_delivery"("merchant_id", "environment", "id") WHERE "state" = 'EXHAUSTED';

-- What has been added up is changed later only by late money, or by money that goes back; the column that said when is the argument.
-- Rows are added and never updated, so that nobody waits for anybody.
CREATE FUNCTION "note_stale_day"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO stale_day (merchant_id, environment, day)
  VALUES (OLD.merchant_id, OLD.environment, ((to_jsonb(OLD) ->> TG_ARGV[0])::timestamptz AT TIME ZONE 'UTC' + interval '3 hours')::date);
  RETURN NULL;
END
$$;
CREATE TRIGGER "push_attempt_settled_anew" AFTER UPDATE OF "settled_at" ON "push_attempt" FOR EACH ROW
  WHEN (OLD.settled_at IS NOT NULL AND (OLD.settled_at, OLD.state) IS DISTINCT FROM (NEW.settled_at, NEW.state))
  EXECUTE FUNCTION "note_stale_day"('settled_at');
CREATE TRIGGER "bill_paid_no_more" AFTER UPDATE OF "paid_at" ON "bill" FOR EACH ROW
  WHEN (OLD.paid_at IS NOT NULL AND NEW.paid_at IS DISTINCT FROM OLD.paid_at)
  EXECUTE FUNCTION "note_stale_day"('paid_at');
