-- Apart from the migration before, so that nobody waits while the table is read.
ALTER TABLE "payment" VALIDATE CONSTRAINT "payment_amount_positive";
