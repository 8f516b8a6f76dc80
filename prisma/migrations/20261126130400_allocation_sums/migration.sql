-- When and as what an allocation counts in the sums of the overview. Both are null for nearly all rows: a positive amount is then a payment
-- of the time at which it was written, and a negative one a reversal.
-- counts_at: when the money moved, if that was in another hour. A correction counts when the payment or reversal that it corrects counts.
-- counts_as: `correction` if it changes what a payment brought, without being a payment of its own: a correction of the payment, or a
-- further allocation, for example to another bill. `reversal` if it changes a reversal.
ALTER TABLE "payment_allocation" ADD COLUMN "counts_at" TIMESTAMPTZ(3), ADD COLUMN "counts_as" "payment_kind";

-- A trigger decides, so that no statement can forget it.
CREATE FUNCTION "count_allocation"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  entry "payment"%ROWTYPE;
  moved timestamptz;
BEGIN
  SELECT * INTO entry FROM "payment" WHERE "id" = NEW."payment_id";
  IF entry."kind" = 'correction' THEN
    SELECT p.* INTO entry FROM "payment_correction" c JOIN "payment" p ON p."id" = c."corrects_id" WHERE c."id" = NEW."payment_id";
    NEW."counts_as" := CASE entry."kind" WHEN 'reversal' THEN 'reversal'::"payment_kind" ELSE 'correction'::"payment_kind" END;
  -- The gateway allocates a payment once, when it books it. Only a person allocates it again.
  ELSIF NEW."amount" > 0 AND NEW."created_by" <> 'gateway' THEN
    -- IS NOT DISTINCT FROM: PostgreSQL must find the rows by the payment, not by the merchant.
    IF EXISTS (SELECT 1 FROM "payment_allocation"
               WHERE "payment_id" = NEW."payment_id" AND "merchant_id" IS NOT DISTINCT FROM NEW."merchant_id" AND "id" <> NEW."id") THEN
      NEW."counts_as" := 'correction';
    END IF;
  END IF;
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
CREATE TRIGGER "allocation_counted" BEFORE INSERT ON "payment_allocation" FOR EACH ROW EXECUTE FUNCTION "count_allocation"();

-- The rows of corrected and moved payments from before, and the days whose sums they change.
ALTER TABLE "payment_allocation" DISABLE TRIGGER "payment_allocation_append_only";
WITH counted AS (
  UPDATE "payment_allocation" a
  SET "counts_as" = CASE e."kind" WHEN 'reversal' THEN 'reversal'::"payment_kind" ELSE 'correction'::"payment_kind" END,
      "counts_at" = CASE WHEN date_trunc('hour', e."recorded_at") <> date_trunc('hour', a."created_at") THEN e."recorded_at" END
  FROM "payment_correction" c JOIN "payment" e ON e."id" = c."corrects_id"
  WHERE a."payment_id" = c."id" RETURNING a."merchant_id", a."environment", a."created_at", e."recorded_at"
), again AS (
  UPDATE "payment_allocation" a
  SET "counts_as" = 'correction',
      "counts_at" = CASE WHEN date_trunc('hour', p."recorded_at") <> date_trunc('hour', a."created_at") THEN p."recorded_at" END
  FROM "payment" p
  WHERE p."id" = a."payment_id" AND p."kind" = 'payment' AND p."id" IN (SELECT "payment_id" FROM "payment_correction") AND EXISTS (
    SELECT 1 FROM "payment_allocation" b WHERE b."payment_id" = a."payment_id" AND b."merchant_id" = a."merchant_id" AND b."id" < a."id")
  RETURNING a."merchant_id", a."environment", a."created_at", p."recorded_at"
)
INSERT INTO "stale_day" ("merchant_id", "environment", "day")
SELECT DISTINCT r."merchant_id", r."environment", (t.at AT TIME ZONE 'UTC' + interval '3 hours')::date
FROM (SELECT * FROM counted UNION ALL SELECT * FROM again) r CROSS JOIN LATERAL (VALUES (r."created_at"), (r."recorded_at")) AS t(at);
ALTER TABLE "payment_allocation" ENABLE TRIGGER "payment_allocation_append_only";
