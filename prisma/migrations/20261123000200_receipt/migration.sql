CREATE TABLE "receipt" (
    "code" TEXT NOT NULL,
    "merchant_id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "bill_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "receipt_pkey" PRIMARY KEY ("code")
);

CREATE INDEX "receipt_bill_id_idx" ON "receipt"("bill_id");

ALTER TABLE "receipt" ADD CONSTRAINT "receipt_bill_id_fkey" FOREIGN KEY ("bill_id") REFERENCES "bill"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
