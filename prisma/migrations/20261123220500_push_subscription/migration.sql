-- Devices of members that get a push when there are new notifications.
CREATE TABLE "push_subscription" (
    "id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "user_id" UUID NOT NULL,
    "session_id" UUID NOT NULL,
    "endpoint" TEXT NOT NULL,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "notified_until" TIMESTAMPTZ(3) NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "push_subscription_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "push_subscription_merchant_id_user_id_fkey" FOREIGN KEY ("merchant_id", "user_id")
        REFERENCES "membership"("merchant_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "push_subscription_merchant_id_environment_user_id_endpoint_key"
    ON "push_subscription"("merchant_id", "environment", "user_id", "endpoint");
CREATE INDEX "push_subscription_due_at_idx" ON "push_subscription"("due_at");
CREATE INDEX "push_subscription_endpoint_idx" ON "push_subscription"("endpoint");
