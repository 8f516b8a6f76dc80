-- The refunds of the simulated provider: reversals of payments, and payouts.
CREATE TABLE "sandbox_refund" (
  "reference" TEXT NOT NULL,
  "prompt_reference" TEXT,
  "mobile" TEXT NOT NULL,
  "amount" BIGINT NOT NULL,
  "receipt" TEXT NOT NULL,
  "succeeds" BOOLEAN NOT NULL,
  "ends_at" TIMESTAMPTZ(3) NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "sandbox_refund_pkey" PRIMARY KEY ("reference"),
  CONSTRAINT "sandbox_refund_prompt_reference_fkey" FOREIGN KEY ("prompt_reference") REFERENCES "sandbox_prompt" ("reference") ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE INDEX "sandbox_refund_prompt_reference_idx" ON "sandbox_refund" ("prompt_reference");
CREATE INDEX "sandbox_refund_ends_at_idx" ON "sandbox_refund" ("ends_at");

-- The reversal that a step reports; null if the provider reversed the whole payment by itself.
ALTER TABLE "sandbox_step" ADD COLUMN "refund_reference" TEXT;
ALTER TABLE "sandbox_step" ADD CONSTRAINT "sandbox_step_refund_reference_fkey" FOREIGN KEY ("refund_reference") REFERENCES "sandbox_refund" ("reference") ON DELETE RESTRICT ON UPDATE CASCADE;
CREATE INDEX "sandbox_step_refund_reference_idx" ON "sandbox_step" ("refund_reference");
