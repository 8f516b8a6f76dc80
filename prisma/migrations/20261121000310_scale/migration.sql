-- Checks what it did before, and reaches every row by an index, whatever the planner knows of the tables: it runs at each
-- booking, however long the ledger.
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

CREATE INDEX "push_attempt_unknown" ON "push_attempt"("unknown_since", "id") WHERE "state" = 'UNKNOWN';
CREATE INDEX "review_of_statement" ON "review"("payment_id") WHERE "kind" = 'statement_differs';
