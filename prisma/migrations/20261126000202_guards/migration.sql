-- The trigger locks the payment first: two transactions that allocate one payment are checked one after the other, and the
-- second one sees what the first has committed.
CREATE OR REPLACE FUNCTION "check_payment_balance"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  checked uuid;
  original uuid;
  received bigint;
  allocated numeric;
  smallest bigint;
  reversed numeric;
  taken numeric;
  largest bigint;
  overtaken boolean;
BEGIN
  IF TG_TABLE_NAME = 'payment' THEN checked := NEW."id"; ELSE checked := NEW."payment_id"; END IF;
  SELECT coalesce("reverses_id", "id") INTO original FROM "payment" WHERE "id" = checked;
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

  IF received < reversed THEN RAISE EXCEPTION 'more of payment % is reversed than was received', original; END IF;
  IF received < allocated + reversed + taken THEN RAISE EXCEPTION 'more of payment % is allocated than there is', original; END IF;
  IF smallest <= 0 OR largest > 0 THEN RAISE EXCEPTION 'an allocation of payment % has the wrong sign', original; END IF;
  IF overtaken THEN RAISE EXCEPTION 'a reversal of payment % takes more from bills than it takes back', original; END IF;
  RETURN NULL;
END $$;

-- TRUNCATE does not run triggers for each row.
CREATE TRIGGER "payment_not_truncated" BEFORE TRUNCATE ON "payment" FOR EACH STATEMENT EXECUTE FUNCTION "forbid_change"();
CREATE TRIGGER "payment_allocation_not_truncated" BEFORE TRUNCATE ON "payment_allocation" FOR EACH STATEMENT EXECUTE FUNCTION "forbid_change"();
CREATE TRIGGER "refund_mark_not_truncated" BEFORE TRUNCATE ON "refund_mark" FOR EACH STATEMENT EXECUTE FUNCTION "forbid_change"();
CREATE TRIGGER "reversal_receipt_not_truncated" BEFORE TRUNCATE ON "reversal_receipt" FOR EACH STATEMENT EXECUTE FUNCTION "forbid_change"();
CREATE TRIGGER "audit_entry_not_truncated" BEFORE TRUNCATE ON "audit_entry" FOR EACH STATEMENT EXECUTE FUNCTION "forbid_change"();
