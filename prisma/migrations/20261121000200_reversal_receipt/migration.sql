-- CreateTable
CREATE TABLE "reversal_receipt" (
    "payment_id" UUID NOT NULL,
    "provider_transaction_id" TEXT NOT NULL,
    "recorded_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "reversal_receipt_pkey" PRIMARY KEY ("payment_id")
);
-- CreateIndex
CREATE INDEX "reversal_receipt_provider_transaction_id_idx" ON "reversal_receipt"("provider_transaction_id");
-- AddForeignKey
ALTER TABLE "reversal_receipt" ADD CONSTRAINT "reversal_receipt_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "payment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What schema.prisma cannot say. prisma/catalogue.txt pins it.

CREATE TRIGGER "reversal_receipt_append_only" BEFORE UPDATE OR DELETE ON "reversal_receipt" FOR EACH ROW EXECUTE FUNCTION "forbid_change"();
