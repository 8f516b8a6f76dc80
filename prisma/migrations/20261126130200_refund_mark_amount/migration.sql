-- A mark says how much of a payment was refunded outside Bili, and a payment may have several. Before, a mark had no amount: it meant the
-- whole unmatched part of the payment, also money that became unmatched later.

-- Returns what belongs to no bill: the amount of a payment less its reversals and allocations, including corrections.
CREATE FUNCTION "unallocated_of"("payment" UUID) RETURNS BIGINT LANGUAGE sql STABLE AS $$
  SELECT (p."amount"
      - coalesce((SELECT sum(a."amount") FROM "payment_allocation" a WHERE a."payment_id" = p."id"), 0)
      - coalesce((SELECT sum(r."amount" + coalesce((SELECT sum(a."amount") FROM "payment_allocation" a WHERE a."payment_id" = r."id"), 0))
                  FROM "payment" r WHERE r."reverses_id" = p."id"), 0)
      + coalesce((SELECT sum(CASE WHEN c."corrects_id" = p."id" THEN k."amount" ELSE -k."amount" END
                             - coalesce((SELECT sum(a."amount") FROM "payment_allocation" a WHERE a."payment_id" = k."id"), 0))
                  FROM "payment_correction" c JOIN "payment" k ON k."id" = c."id" WHERE c."payment_id" = p."id"), 0))::bigint
  FROM "payment" p WHERE p."id" = $1
$$;

ALTER TABLE "refund_mark" ADD COLUMN "id" UUID NOT NULL DEFAULT gen_random_uuid(), ADD COLUMN "amount" BIGINT;
ALTER TABLE "refund_mark" DISABLE TRIGGER "refund_mark_append_only";
UPDATE "refund_mark" SET "amount" = greatest("unallocated_of"("payment_id"), 0);
ALTER TABLE "refund_mark" ENABLE TRIGGER "refund_mark_append_only";
ALTER TABLE "refund_mark" ALTER COLUMN "amount" SET NOT NULL,
    ADD CONSTRAINT "refund_mark_amount_not_negative" CHECK ("amount" >= 0),
    DROP CONSTRAINT "refund_mark_pkey", ADD CONSTRAINT "refund_mark_pkey" PRIMARY KEY ("id");
CREATE INDEX "refund_mark_payment_id_idx" ON "refund_mark"("payment_id");

-- The previous version writes marks without an amount, and ignores a mark that is not written.
CREATE FUNCTION "fill_refund_mark"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM "payment" WHERE "id" = NEW."payment_id" FOR NO KEY UPDATE;
  NEW."amount" := "unallocated_of"(NEW."payment_id")
    - (SELECT coalesce(sum("amount"), 0) FROM "refund_mark" WHERE "payment_id" = NEW."payment_id");
  IF NEW."amount" > 0 THEN RETURN NEW; END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "refund_mark_filled" BEFORE INSERT ON "refund_mark" FOR EACH ROW
    WHEN (NEW."amount" IS NULL) EXECUTE FUNCTION "fill_refund_mark"();

CREATE OR REPLACE FUNCTION "check_payment_balance"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  checked uuid;
  original uuid;
  received numeric;
  allocated numeric;
  smallest bigint;
  reversed numeric;
  taken numeric;
  largest bigint;
  overtaken boolean;
  added numeric;
  unreversed numeric;
  moved numeric;
  misplaced boolean;
  checks_marks boolean := TG_TABLE_NAME = 'refund_mark';
BEGIN
  IF TG_TABLE_NAME = 'payment' THEN checked := NEW."id"; ELSE checked := NEW."payment_id"; END IF;
  SELECT coalesce(p."reverses_id", (SELECT c."payment_id" FROM "payment_correction" c WHERE c."id" = p."id"), p."id")
  INTO original FROM "payment" p WHERE p."id" = checked;
  PERFORM 1 FROM "payment" WHERE "id" = original FOR NO KEY UPDATE;
  IF TG_TABLE_NAME = 'payment_allocation' THEN checks_marks := NEW."payment_id" = original; END IF;
  SELECT "amount" INTO received FROM "payment" WHERE "id" = original AND "kind" = 'payment';
  IF received IS NULL THEN RAISE EXCEPTION 'reversal % does not reverse a payment', checked; END IF;

  SELECT coalesce(sum("amount"), 0), min("amount") INTO allocated, smallest FROM "payment_allocation" WHERE "payment_id" = original;
  -- What each reversal took from bills is negative.
  SELECT coalesce(sum(r."amount"), 0), coalesce(sum(t."total"), 0), max(t."largest"), bool_or(-t."total" > r."amount")
  INTO reversed, taken, largest, overtaken
  FROM "payment" r
  CROSS JOIN LATERAL (SELECT coalesce(sum("amount"), 0) AS "total", max("amount") AS "largest"
                      FROM "payment_allocation" WHERE "payment_id" = r."id") t
  WHERE r."reverses_id" = original;
  -- A correction of a reversal moves money the other way.
  SELECT coalesce(sum(k."amount") FILTER (WHERE c."corrects_id" = original), 0), coalesce(-sum(k."amount") FILTER (WHERE c."corrects_id" <> original), 0),
    coalesce(sum(t."total"), 0),
    bool_or(CASE WHEN (k."amount" > 0) = (c."corrects_id" = original) THEN t."smallest" <= 0 OR t."total" > abs(k."amount")
            ELSE t."largest" >= 0 OR t."total" < -abs(k."amount") END)
  INTO added, unreversed, moved, misplaced
  FROM "payment_correction" c JOIN "payment" k ON k."id" = c."id"
  CROSS JOIN LATERAL (SELECT sum("amount") AS "total", min("amount") AS "smallest", max("amount") AS "largest"
                      FROM "payment_allocation" WHERE "payment_id" = c."id") t
  WHERE c."payment_id" = original;
  received := received + added;
  reversed := reversed - unreversed;

  IF received < reversed THEN RAISE EXCEPTION 'more of payment % is reversed than was received', original; END IF;
  IF received < allocated + reversed + taken + moved THEN RAISE EXCEPTION 'more of payment % is allocated than there is', original; END IF;
  -- What the provider reverses is booked, although it was refunded outside before. What a person allocates must not be.
  IF checks_marks AND received < allocated + reversed + taken + moved
     + (SELECT coalesce(sum("amount"), 0) FROM "refund_mark" WHERE "payment_id" = original) THEN
    RAISE EXCEPTION 'more of payment % is allocated or refunded outside than there is', original;
  END IF;
  IF smallest <= 0 OR largest > 0 THEN RAISE EXCEPTION 'an allocation of payment % has the wrong sign', original; END IF;
  IF overtaken THEN RAISE EXCEPTION 'a reversal of payment % takes more from bills than it takes back', original; END IF;
  IF misplaced THEN RAISE EXCEPTION 'a correction of payment % moves other money on bills than it corrects', original; END IF;
  IF EXISTS (
    SELECT 1 FROM "payment_correction" c JOIN "payment" e ON e."id" = c."corrects_id" JOIN "payment" k ON k."id" = c."id"
    WHERE c."payment_id" = original GROUP BY e."id" HAVING e."amount" + sum(k."amount") < 0) THEN
    RAISE EXCEPTION 'an entry of payment % is corrected to less than nothing', original;
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER "mark_fits_payment" AFTER INSERT ON "refund_mark"
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "check_payment_balance"();
