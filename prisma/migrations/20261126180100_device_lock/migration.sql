ALTER TABLE "cashier_device" ADD COLUMN "locked_at" TIMESTAMPTZ(3);
