-- How long a call to a provider took, in milliseconds; null for a callback.
ALTER TABLE "provider_message" ADD COLUMN "took_ms" INTEGER;

CREATE TYPE "proof_kind" AS ENUM ('callback', 'query', 'refusal', 'unknown');

-- The first attempt of an account that ended in each of these ways.
CREATE TABLE "provider_proof" (
  "account_id" UUID NOT NULL,
  "kind" "proof_kind" NOT NULL,
  "attempt_id" UUID NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "provider_proof_pkey" PRIMARY KEY ("account_id", "kind"),
  CONSTRAINT "provider_proof_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "provider_account" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT "provider_proof_attempt_id_fkey" FOREIGN KEY ("attempt_id") REFERENCES "push_attempt" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
