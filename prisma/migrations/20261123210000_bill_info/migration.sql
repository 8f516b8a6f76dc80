-- What a bill is about, for people. All three are optional. Columns without a default are added without rewriting the table.
ALTER TABLE "bill" ADD COLUMN "customer_name" TEXT,
ADD COLUMN "description" TEXT,
ADD COLUMN "due_at" TIMESTAMPTZ(3);

-- The same values of an imported row, until its bill is created.
ALTER TABLE "bill_import_row" ADD COLUMN "customer_name" TEXT,
ADD COLUMN "description" TEXT,
ADD COLUMN "due_at" TIMESTAMPTZ(3);
