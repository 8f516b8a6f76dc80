ALTER TABLE "heartbeat" ADD COLUMN     "foreign_form" TEXT,
ADD COLUMN     "foreign_form_at" TIMESTAMPTZ(3),
ADD COLUMN     "foreign_forms" INTEGER NOT NULL DEFAULT 0;
