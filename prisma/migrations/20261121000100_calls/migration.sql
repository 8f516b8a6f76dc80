-- AlterTable
ALTER TABLE "push_attempt" ADD COLUMN     "call_account_id" UUID,
ADD COLUMN     "call_token" INTEGER;

-- What schema.prisma cannot say. prisma/catalogue.txt pins it.

CREATE INDEX "push_attempt_calls" ON "push_attempt"("call_account_id", "state", "due_at")
  WHERE "call_account_id" IS NOT NULL AND "state" IN ('QUEUED', 'SENDING');
