ALTER TABLE "api_key" ADD COLUMN "last_address" TEXT, ADD COLUMN "last_route" TEXT,
  ADD COLUMN "networks" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
  ADD COLUMN "bill_max" BIGINT, ADD COLUMN "day_max" BIGINT, ADD COLUMN "replaces_id" TEXT;
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_limits" CHECK ("bill_max" > 0 AND "day_max" > 0);
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_replaces_id_fkey" FOREIGN KEY ("replaces_id") REFERENCES "api_key"("id") ON DELETE SET NULL ON UPDATE CASCADE;
CREATE INDEX "api_key_replaces_id_idx" ON "api_key"("replaces_id");

CREATE TABLE "api_key_day" (
    "key_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "uses" BIGINT NOT NULL DEFAULT 0,
    "billed" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "api_key_day_pkey" PRIMARY KEY ("key_id","day")
);
ALTER TABLE "api_key_day" ADD CONSTRAINT "api_key_day_key_id_fkey" FOREIGN KEY ("key_id") REFERENCES "api_key"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "webhook_attempt" ADD COLUMN "request_headers" JSONB NOT NULL DEFAULT '{}', ADD COLUMN "request_body" BYTEA;
-- Tests and checks are few among millions of attempts.
CREATE INDEX "webhook_attempt_alone" ON "webhook_attempt"("merchant_id", "environment", "started_at", "id") WHERE "delivery_id" IS NULL;
