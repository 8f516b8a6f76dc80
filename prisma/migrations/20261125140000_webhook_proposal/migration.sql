CREATE TYPE "proposal_state" AS ENUM ('open', 'approved', 'refused');

-- The last webhook address that a member proposed to the operator. A new proposal replaces it.
CREATE TABLE "webhook_proposal" (
  "merchant_id" UUID NOT NULL,
  "environment" "environment" NOT NULL,
  "url" TEXT NOT NULL,
  "state" "proposal_state" NOT NULL DEFAULT 'open',
  "proposed_by" TEXT NOT NULL,
  "proposed_at" TIMESTAMPTZ(3) NOT NULL,
  "decided_at" TIMESTAMPTZ(3),
  "refusal_reason" TEXT,
  CONSTRAINT "webhook_proposal_pkey" PRIMARY KEY ("merchant_id", "environment"),
  CONSTRAINT "webhook_proposal_merchant_id_environment_fkey" FOREIGN KEY ("merchant_id", "environment") REFERENCES "merchant_profile" ("merchant_id", "environment") ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT "webhook_proposal_decided" CHECK (("state" = 'open') = ("decided_at" IS NULL)),
  CONSTRAINT "webhook_proposal_reason" CHECK (("state" = 'refused') = ("refusal_reason" IS NOT NULL))
);
