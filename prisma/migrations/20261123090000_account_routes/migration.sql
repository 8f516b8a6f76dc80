-- The accounts that certainly did not take an attempt. Another account may send it then.
ALTER TABLE "push_attempt" ADD COLUMN "refused_account_ids" UUID[] NOT NULL DEFAULT '{}';

-- What the provider kept of a payment, in senti; null if it does not say so.
ALTER TABLE "payment" ADD COLUMN "fee" BIGINT;

ALTER TABLE "provider_account"
  ADD COLUMN "calls_per_minute" INTEGER,
  ADD COLUMN "calls_left" DOUBLE PRECISION,
  ADD COLUMN "calls_left_at" TIMESTAMPTZ(3),
  ADD COLUMN "refusals" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "avoid_until" TIMESTAMPTZ(3);

-- The order of an owner's accounts for a network. Accounts without a row come last, the oldest first.
CREATE TABLE "provider_route" (
  "account_id" UUID NOT NULL,
  "network" TEXT NOT NULL,
  "position" INTEGER NOT NULL,
  CONSTRAINT "provider_route_pkey" PRIMARY KEY ("account_id", "network"),
  CONSTRAINT "provider_route_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "provider_account" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
