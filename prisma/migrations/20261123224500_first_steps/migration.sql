-- Members who have dismissed the first steps of an environment.
CREATE TABLE "hidden_steps" (
    "merchant_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "hidden_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "hidden_steps_pkey" PRIMARY KEY ("merchant_id", "user_id", "environment"),
    CONSTRAINT "hidden_steps_merchant_id_user_id_fkey" FOREIGN KEY ("merchant_id", "user_id")
        REFERENCES "membership"("merchant_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- When a member asked the operator to activate the environment.
ALTER TABLE "merchant_profile" ADD COLUMN "activation_requested_at" TIMESTAMPTZ(3);
