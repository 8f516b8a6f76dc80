-- Bills of which money went back before. A reversal used to clear `paid_at`; it is when the bill was fully paid for the first time.
-- The overview counts the days of those payments again.
WITH back AS (
  SELECT a.bill_id, -sum(a.amount) AS amount FROM payment_allocation a JOIN payment p ON p.id = a.payment_id
  WHERE a.amount < 0 AND p.kind = 'reversal' GROUP BY a.bill_id
), changed AS (
  UPDATE bill b SET reversed_amount = back.amount,
    paid_at = coalesce((SELECT min(e.at) FROM bill_event e WHERE e.bill_id = b.id AND e.type = 'bill.fully_paid'), b.paid_at)
  FROM back WHERE b.id = back.bill_id
  RETURNING b.merchant_id, b.environment, b.paid_at
)
INSERT INTO stale_day (merchant_id, environment, day)
SELECT DISTINCT merchant_id, environment, (paid_at AT TIME ZONE 'UTC' + interval '3 hours')::date FROM changed WHERE paid_at IS NOT NULL;
