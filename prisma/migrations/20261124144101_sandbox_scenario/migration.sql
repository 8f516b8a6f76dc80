-- What the simulated customer does with the payment requests of a bill. The bill need not exist yet.
CREATE TABLE "sandbox_scenario" (
  "merchant_id" UUID NOT NULL,
  "environment" "environment" NOT NULL,
  "bill_id" UUID NOT NULL,
  "scenario" TEXT NOT NULL,
  CONSTRAINT "sandbox_scenario_pkey" PRIMARY KEY ("merchant_id", "environment", "bill_id"),
  CONSTRAINT "sandbox_scenario_merchant_id_environment_fkey" FOREIGN KEY ("merchant_id", "environment") REFERENCES "merchant_profile" ("merchant_id", "environment") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- How long the steps of simulated prompts and the pauses before webhooks are repeated take, in percent of the usual time.
ALTER TABLE "sandbox_settings" ADD COLUMN "delay_percent" INTEGER NOT NULL DEFAULT 100;
