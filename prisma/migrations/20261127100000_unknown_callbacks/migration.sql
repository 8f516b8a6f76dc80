ALTER TABLE "heartbeat" ADD COLUMN     "unknown_callback" TEXT,
ADD COLUMN     "unknown_callback_at" TIMESTAMPTZ(3),
ADD COLUMN     "unknown_callbacks" INTEGER NOT NULL DEFAULT 0;
