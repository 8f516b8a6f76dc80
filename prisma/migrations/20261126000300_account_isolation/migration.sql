-- CreateEnum
CREATE TYPE "call_kind" AS ENUM ('send', 'query');

-- AlterTable
ALTER TABLE "provider_account" ADD COLUMN     "call_limit" INTEGER;

-- AlterTable
ALTER TABLE "push_attempt" ADD COLUMN     "lapsed_leases" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "provider_health" (
    "account_id" UUID NOT NULL,
    "kind" "call_kind" NOT NULL,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "failing_since" TIMESTAMPTZ(3),
    "rest_until" TIMESTAMPTZ(3),
    "last_success_at" TIMESTAMPTZ(3),
    "last_failure_at" TIMESTAMPTZ(3),
    "last_error" TEXT,

    CONSTRAINT "provider_health_pkey" PRIMARY KEY ("account_id","kind")
);

-- AddForeignKey
ALTER TABLE "provider_health" ADD CONSTRAINT "provider_health_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "provider_account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Calls of versions before this one are over.
UPDATE "push_attempt" SET "call_token" = NULL WHERE "call_token" IS NOT NULL;
-- The simulated provider is a part of the worker.
UPDATE "provider_account" SET "call_limit" = 100 WHERE "provider" = 'sandbox';
