-- What reversals took off a bill. Kept in its row, because the API reads it with every bill.
ALTER TABLE "bill" ADD COLUMN "reversed_amount" BIGINT NOT NULL DEFAULT 0;

CREATE FUNCTION "count_reversed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE bill SET reversed_amount = reversed_amount - NEW.amount
  WHERE id = NEW.bill_id AND EXISTS (SELECT 1 FROM payment WHERE id = NEW.payment_id AND kind = 'reversal');
  RETURN NULL;
END
$$;
CREATE TRIGGER "allocation_takes_back" AFTER INSERT ON "payment_allocation" FOR EACH ROW
  WHEN (NEW.amount < 0) EXECUTE FUNCTION "count_reversed"();

-- `paid_at` stays after a reversal, and the overview counts the bills that are paid: a day is counted again when the status changes.
DROP TRIGGER "bill_paid_no_more" ON "bill";
CREATE TRIGGER "bill_paid_no_more" AFTER UPDATE OF "status" ON "bill" FOR EACH ROW
  WHEN (OLD.paid_at IS NOT NULL AND NEW.status IS DISTINCT FROM OLD.status)
  EXECUTE FUNCTION "note_stale_day"('paid_at');
