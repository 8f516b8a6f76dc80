-- How often a merchant's links to virtual phones were ended.
CREATE TABLE "sandbox_settings" (
  "merchant_id" UUID NOT NULL,
  "environment" "environment" NOT NULL,
  "links_ended" INTEGER NOT NULL DEFAULT 0,
  CONSTRAINT "sandbox_settings_pkey" PRIMARY KEY ("merchant_id", "environment"),
  CONSTRAINT "sandbox_settings_merchant_id_environment_fkey" FOREIGN KEY ("merchant_id", "environment") REFERENCES "merchant_profile" ("merchant_id", "environment") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- The virtual phones of a merchant. A phone answers prompts as long as a page shows it.
CREATE TABLE "sandbox_phone" (
  "merchant_id" UUID NOT NULL,
  "environment" "environment" NOT NULL,
  "mobile" TEXT NOT NULL,
  "is_on" BOOLEAN NOT NULL DEFAULT true,
  "has_money" BOOLEAN NOT NULL DEFAULT true,
  "held_until" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "sandbox_phone_pkey" PRIMARY KEY ("merchant_id", "environment", "mobile"),
  CONSTRAINT "sandbox_phone_merchant_id_environment_fkey" FOREIGN KEY ("merchant_id", "environment") REFERENCES "merchant_profile" ("merchant_id", "environment") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- The simulated prompts that virtual phones received.
CREATE TABLE "sandbox_ring" (
  "reference" TEXT NOT NULL,
  "merchant_id" UUID NOT NULL,
  "environment" "environment" NOT NULL,
  "mobile" TEXT NOT NULL,
  "network" TEXT NOT NULL,
  "missed" BOOLEAN NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "sandbox_ring_pkey" PRIMARY KEY ("reference"),
  CONSTRAINT "sandbox_ring_reference_fkey" FOREIGN KEY ("reference") REFERENCES "sandbox_prompt" ("reference") ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT "sandbox_ring_merchant_id_environment_fkey" FOREIGN KEY ("merchant_id", "environment") REFERENCES "merchant_profile" ("merchant_id", "environment") ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE INDEX "sandbox_ring_merchant_id_environment_mobile_created_at_idx" ON "sandbox_ring" ("merchant_id", "environment", "mobile", "created_at");
