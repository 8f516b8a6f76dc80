-- What the filters of the webhooks page look for, and few deliveries are: an ordinary delivery is in none of these.
CREATE INDEX "webhook_delivery_failed" ON "webhook_delivery"("merchant_id", "environment", "id") WHERE "delivered_at" IS NULL AND "failure_count" > 0;
CREATE INDEX "webhook_delivery_again" ON "webhook_delivery"("merchant_id", "environment", "trigger", "id") WHERE "trigger" IN ('manual', 'bulk');
CREATE INDEX "webhook_delivery_owing" ON "webhook_delivery"("merchant_id", "environment", "bill_status", "id") WHERE "bill_status" IN ('NOT_PAID', 'PARTIALLY_PAID');
