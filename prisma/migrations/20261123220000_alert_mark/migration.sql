-- Until when a member has read the notifications of a merchant's environment.
CREATE TABLE "alert_mark" (
    "merchant_id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "user_id" UUID NOT NULL,
    "read_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "alert_mark_pkey" PRIMARY KEY ("merchant_id", "environment", "user_id"),
    CONSTRAINT "alert_mark_merchant_id_user_id_fkey" FOREIGN KEY ("merchant_id", "user_id")
        REFERENCES "membership"("merchant_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE
);
