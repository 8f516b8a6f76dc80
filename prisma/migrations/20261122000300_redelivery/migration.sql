-- What is kept without being sent: few rows among all, and what is sent at once never passes through.
CREATE INDEX "webhook_delivery_kept" ON "webhook_delivery"("merchant_id", "environment", "id") INCLUDE ("state") WHERE "state" IN ('BLOCKED', 'EXHAUSTED', 'UNSENT');
DROP INDEX "webhook_delivery_redelivery";
CREATE INDEX "webhook_delivery_redelivery" ON "webhook_delivery"("redelivery_id", "state", "id") WHERE "redelivery_id" IS NOT NULL;
