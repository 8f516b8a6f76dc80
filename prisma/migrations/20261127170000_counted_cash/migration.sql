-- The cash of a shift: what its member recorded, and what the member counted at the end. Null if the shift took no cash.
ALTER TABLE "counter_shift"
  ADD COLUMN "expected_cash" BIGINT,
  ADD COLUMN "counted_cash" BIGINT,
  ADD CONSTRAINT "counter_shift_cash_is_counted" CHECK (
    ("expected_cash" IS NULL) = ("counted_cash" IS NULL) AND ("expected_cash" IS NULL OR "closed_at" IS NOT NULL) AND "counted_cash" >= 0
  );
