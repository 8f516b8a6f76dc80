-- CreateIndex
CREATE INDEX "reconciliation_line_payment_id_idx" ON "reconciliation_line"("payment_id");
