-- The phone number of a cashier, who signs in with a PIN on a known device.
ALTER TABLE "user" ADD COLUMN "mobile" TEXT;

ALTER TABLE "invitation" ADD COLUMN "mobile" TEXT, ADD COLUMN "name" TEXT;

-- The devices on which cashiers may sign in with a PIN.
CREATE TABLE "cashier_device" (
  "id" UUID NOT NULL,
  "merchant_id" UUID NOT NULL,
  "user_id" UUID NOT NULL,
  "secret_hash" BYTEA NOT NULL,
  "pin_hash" TEXT NOT NULL,
  "wrong_pins" INTEGER NOT NULL DEFAULT 0,
  "user_agent" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "last_used_at" TIMESTAMPTZ(3) NOT NULL,
  "revoked_at" TIMESTAMPTZ(3),
  CONSTRAINT "cashier_device_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "cashier_device_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchant" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT "cashier_device_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE INDEX "cashier_device_merchant_id_user_id_idx" ON "cashier_device" ("merchant_id", "user_id");

-- The device on which the session's cashier entered the PIN.
ALTER TABLE "session" ADD COLUMN "cashier_device_id" UUID;
ALTER TABLE "session" ADD CONSTRAINT "session_cashier_device_id_fkey" FOREIGN KEY ("cashier_device_id") REFERENCES "cashier_device" ("id") ON DELETE SET NULL ON UPDATE CASCADE;
