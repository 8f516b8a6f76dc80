CREATE TYPE "refusal_state" AS ENUM ('REQUESTED', 'ACTIVE', 'LIFTED');

CREATE TABLE "prompt_refusal" (
    "id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "mobile" TEXT NOT NULL,
    "state" "refusal_state" NOT NULL,
    "code" TEXT,
    "reason" TEXT,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "requested_from" TEXT,
    "decided_at" TIMESTAMPTZ(3),
    "decided_by" TEXT,

    CONSTRAINT "prompt_refusal_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "prompt_refusal_requested_from_requested_at_idx" ON "prompt_refusal"("requested_from", "requested_at");

-- One that is open per number; reading it is part of sending every prompt.
CREATE UNIQUE INDEX "prompt_refusal_one_open_per_number" ON "prompt_refusal"("environment", "mobile") WHERE "state" <> 'LIFTED';

ALTER TABLE "prompt_refusal"
  ADD CONSTRAINT "prompt_refusal_decided_by_somebody"
    CHECK (("state" = 'REQUESTED') = ("decided_at" IS NULL) AND ("decided_at" IS NULL) = ("decided_by" IS NULL)),
  ADD CONSTRAINT "prompt_refusal_request_has_code" CHECK ("state" <> 'REQUESTED' OR "code" IS NOT NULL);

-- What may have rung a phone and was not approved: what the limits of prompts to a number are counted from. What was refused
-- before it was sent, however often, is not in it.
CREATE INDEX "push_attempt_prompts" ON "push_attempt"("environment", "mobile", "created_at")
  WHERE "state" NOT IN ('SUCCEEDED', 'CANCELLED') AND ("state" <> 'FAILED' OR "provider_account_id" IS NOT NULL);
