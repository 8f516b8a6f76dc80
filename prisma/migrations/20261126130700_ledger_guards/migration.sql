-- An allocation has the merchant and environment of its bill, and the environment of its payment. The deferred check of the bill tests it.
-- Composite foreign keys would need another unique index on the table of bills, which each new bill would have to write.
CREATE OR REPLACE FUNCTION "check_bill_paid_amount"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  checked uuid;
BEGIN
  IF TG_TABLE_NAME = 'bill' THEN
    checked := NEW."id";
  ELSE
    checked := NEW."bill_id";
    IF NOT EXISTS (SELECT 1 FROM "bill" WHERE "id" = checked AND ("merchant_id", "environment") = (NEW."merchant_id", NEW."environment"))
       OR NOT EXISTS (SELECT 1 FROM "payment" WHERE "id" = NEW."payment_id" AND "environment" = NEW."environment") THEN
      RAISE EXCEPTION 'allocation % has another merchant or environment than its bill or payment', NEW."id";
    END IF;
  END IF;
  IF (SELECT "paid_amount" FROM "bill" WHERE "id" = checked)
     <> (SELECT coalesce(sum("amount"), 0) FROM "payment_allocation" WHERE "bill_id" = checked) THEN
    RAISE EXCEPTION 'paid amount of bill % is not the sum of its allocations', checked;
  END IF;
  RETURN NULL;
END $$;

-- At every commit that changes it, the reserved amount of a bill is the sum of its open attempts that nobody has released.
CREATE FUNCTION "check_bill_reserved_amount"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT "reserved_amount" FROM "bill" WHERE "id" = NEW."id")
     <> (SELECT coalesce(sum("amount"), 0) FROM "push_attempt"
         WHERE "bill_id" = NEW."id" AND "state" IN ('QUEUED', 'SENDING', 'AWAITING_CUSTOMER', 'UNKNOWN') AND "released_at" IS NULL) THEN
    RAISE EXCEPTION 'reserved amount of bill % is not the sum of its open attempts', NEW."id";
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER "bill_reserves_open_attempts" AFTER UPDATE OF "reserved_amount" ON "bill"
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW."reserved_amount" <> OLD."reserved_amount") EXECUTE FUNCTION "check_bill_reserved_amount"();
