-- Short payment links.
CREATE TABLE "bill_link" (
    "code" TEXT NOT NULL,
    "merchant_id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "bill_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "bill_link_pkey" PRIMARY KEY ("code"),
    CONSTRAINT "bill_link_bill_id_fkey" FOREIGN KEY ("bill_id") REFERENCES "bill"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "bill_link_bill_id_key" ON "bill_link"("bill_id");
