-- When money moved at the provider, as the provider says. `recorded_at` is when Bili wrote the row.
ALTER TABLE "payment" ADD COLUMN "happened_at" TIMESTAMPTZ(3);
