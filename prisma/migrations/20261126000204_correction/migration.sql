-- CreateTable
CREATE TABLE "payment_correction" (
    "id" UUID NOT NULL,
    "payment_id" UUID NOT NULL,
    "corrects_id" UUID NOT NULL,
    "reason" TEXT NOT NULL,
    "created_by" TEXT NOT NULL,
    "review_id" UUID,

    CONSTRAINT "payment_correction_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "payment_correction_payment_id_idx" ON "payment_correction"("payment_id");

-- AddForeignKey
ALTER TABLE "payment_correction" ADD CONSTRAINT "payment_correction_id_fkey" FOREIGN KEY ("id") REFERENCES "payment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payment_correction" ADD CONSTRAINT "payment_correction_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "payment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payment_correction" ADD CONSTRAINT "payment_correction_corrects_id_fkey" FOREIGN KEY ("corrects_id") REFERENCES "payment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payment_correction" ADD CONSTRAINT "payment_correction_review_id_fkey" FOREIGN KEY ("review_id") REFERENCES "review"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- What schema.prisma cannot say. prisma/catalogue.txt pins it.

CREATE TRIGGER "payment_correction_append_only" BEFORE UPDATE OR DELETE ON "payment_correction" FOR EACH ROW EXECUTE FUNCTION "forbid_change"();
CREATE TRIGGER "payment_correction_not_truncated" BEFORE TRUNCATE ON "payment_correction" FOR EACH STATEMENT EXECUTE FUNCTION "forbid_change"();

-- A correction adds to the amount of its entry, or takes from it. The next migration validates this.
ALTER TABLE "payment" DROP CONSTRAINT "payment_amount_positive";
ALTER TABLE "payment" ADD CONSTRAINT "payment_amount_positive" CHECK ("amount" > 0 OR "kind" = 'correction' AND "amount" <> 0) NOT VALID;

-- A correction belongs to a payment, and corrects that payment or one of its reversals.
CREATE FUNCTION "check_correction"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT 1 FROM "payment_correction" c JOIN "payment" k ON k."id" = c."id" JOIN "payment" p ON p."id" = c."payment_id" JOIN "payment" e ON e."id" = c."corrects_id"
    WHERE c."id" = NEW."id" AND k."kind" = 'correction' AND p."kind" = 'payment' AND (e."id" = p."id" OR e."reverses_id" = p."id")
      AND (k."till_id", k."environment") = (p."till_id", p."environment") AND k."merchant_id" IS NOT DISTINCT FROM p."merchant_id") THEN
    RAISE EXCEPTION 'correction % does not correct a payment or its reversal', NEW."id";
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER "correction_has_entry" AFTER INSERT ON "payment"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW."kind" = 'correction') EXECUTE FUNCTION "check_correction"();
CREATE CONSTRAINT TRIGGER "correction_of_entry" AFTER INSERT ON "payment_correction"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "check_correction"();

-- As before, with corrections: what came and what went back are the corrected amounts.
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
BEGIN
  IF TG_TABLE_NAME = 'payment' THEN checked := NEW."id"; ELSE checked := NEW."payment_id"; END IF;
  SELECT coalesce(p."reverses_id", (SELECT c."payment_id" FROM "payment_correction" c WHERE c."id" = p."id"), p."id")
  INTO original FROM "payment" p WHERE p."id" = checked;
  PERFORM 1 FROM "payment" WHERE "id" = original FOR NO KEY UPDATE;
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
CREATE CONSTRAINT TRIGGER "correction_fits_payment" AFTER INSERT ON "payment_correction"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "check_payment_balance"();
