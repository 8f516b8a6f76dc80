ALTER TYPE "attempt_source" ADD VALUE 'dashboard';

CREATE TABLE "bill_note" (
    "id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "bill_id" UUID NOT NULL,
    "created_by" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "bill_note_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "bill_note_bill_id_idx" ON "bill_note"("bill_id");
ALTER TABLE "bill_note" ADD CONSTRAINT "bill_note_bill_id_fkey" FOREIGN KEY ("bill_id") REFERENCES "bill"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

CREATE TABLE "bill_import" (
    "id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "file_name" TEXT NOT NULL,
    "encoding" TEXT NOT NULL,
    "rows_hash" BYTEA NOT NULL,
    "row_count" INTEGER NOT NULL,
    "error_count" INTEGER NOT NULL,
    "warning_count" INTEGER NOT NULL,
    "total" BIGINT NOT NULL,
    "created_by" TEXT NOT NULL,
    "created_by_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "ask_phones" BOOLEAN NOT NULL DEFAULT false,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    CONSTRAINT "bill_import_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "bill_import_merchant_id_environment_created_at_idx" ON "bill_import"("merchant_id", "environment", "created_at");
CREATE INDEX "bill_import_merchant_id_environment_rows_hash_idx" ON "bill_import"("merchant_id", "environment", "rows_hash");

CREATE TABLE "bill_import_row" (
    "import_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "amount" BIGINT,
    "reference" TEXT,
    "mobile" TEXT,
    "problems" JSONB NOT NULL,
    "bill_id" UUID,
    "refused" TEXT,
    CONSTRAINT "bill_import_row_pkey" PRIMARY KEY ("import_id","number")
);
ALTER TABLE "bill_import_row" ADD CONSTRAINT "bill_import_row_import_id_fkey" FOREIGN KEY ("import_id") REFERENCES "bill_import"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "bill_import_row" ADD CONSTRAINT "bill_import_row_bill_id_fkey" FOREIGN KEY ("bill_id") REFERENCES "bill"("id") ON DELETE SET NULL ON UPDATE CASCADE;
