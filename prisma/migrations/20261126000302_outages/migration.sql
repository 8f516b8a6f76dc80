-- AlterTable
ALTER TABLE "provider_account" ADD COLUMN     "down_since" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "operator_notice" (
    "id" UUID NOT NULL,
    "body" JSONB NOT NULL,
    "due_at" TIMESTAMPTZ(3),
    "tries" INTEGER NOT NULL DEFAULT 0,
    "last_error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "operator_notice_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "operator_notice_due_at_idx" ON "operator_notice"("due_at");

-- CreateTable
CREATE TABLE "heartbeat" (
    "id" UUID NOT NULL,
    "role" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "pid" INTEGER NOT NULL,
    "clock_ahead_ms" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "heartbeat_pkey" PRIMARY KEY ("id")
);
