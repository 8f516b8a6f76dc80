CREATE TABLE "notice_round" (
    "merchant_id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "topic" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "told_at" TIMESTAMPTZ(3),
    "told" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    CONSTRAINT "notice_round_pkey" PRIMARY KEY ("merchant_id","environment","topic")
);
CREATE INDEX "notice_round_due_at_idx" ON "notice_round"("due_at");
ALTER TABLE "notice_round" ADD CONSTRAINT "notice_round_merchant_id_environment_fkey" FOREIGN KEY ("merchant_id", "environment") REFERENCES "merchant_profile"("merchant_id", "environment") ON DELETE RESTRICT ON UPDATE CASCADE;
