CREATE TYPE "endpoint_status" AS ENUM ('active', 'paused', 'disabled');
CREATE TYPE "delivery_trigger" AS ENUM ('automatic', 'manual', 'bulk', 'test', 'check');
CREATE TYPE "redelivery_state" AS ENUM ('RUNNING', 'COMPLETED', 'CANCELLED');

ALTER TABLE "webhook_endpoint"
    ADD COLUMN "encrypted_previous_secret" BYTEA,
    ADD COLUMN "previous_secret_until" TIMESTAMPTZ(3),
    ADD COLUMN "status" "endpoint_status" NOT NULL DEFAULT 'active',
    ADD COLUMN "disabled_reason" TEXT,
    ADD COLUMN "status_since" TIMESTAMPTZ(3),
    ADD COLUMN "parallelism" INTEGER NOT NULL DEFAULT 4,
    ADD COLUMN "failure_count" INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN "failing_since" TIMESTAMPTZ(3),
    ADD COLUMN "last_success_at" TIMESTAMPTZ(3),
    ADD COLUMN "last_failure_at" TIMESTAMPTZ(3),
    ADD COLUMN "slowed_at" TIMESTAMPTZ(3),
    ADD COLUMN "rest_until" TIMESTAMPTZ(3),
    ADD COLUMN "breaker_step" INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN "warnings_given" INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN "catch_up_from" TIMESTAMPTZ(3),
    ADD CONSTRAINT "webhook_endpoint_status" CHECK (("status" = 'disabled') = ("disabled_reason" IS NOT NULL)),
    ADD CONSTRAINT "webhook_endpoint_previous_secret" CHECK (("encrypted_previous_secret" IS NULL) = ("previous_secret_until" IS NULL)),
    ADD CONSTRAINT "webhook_endpoint_failing" CHECK (("failure_count" > 0) = ("failing_since" IS NOT NULL)),
    ADD CONSTRAINT "webhook_endpoint_breaker" CHECK ("parallelism" >= 1 AND "breaker_step" >= 0 AND ("breaker_step" = 0 OR "rest_until" IS NOT NULL));
UPDATE "webhook_endpoint" SET "status_since" = "updated_at";
ALTER TABLE "webhook_endpoint" ALTER COLUMN "status_since" SET NOT NULL;
CREATE INDEX "webhook_endpoint_to_tend" ON "webhook_endpoint"("id") WHERE "failing_since" IS NOT NULL OR "catch_up_from" IS NOT NULL;

CREATE TABLE "webhook_redelivery" (
    "id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "period_from" TIMESTAMPTZ(3) NOT NULL,
    "period_to" TIMESTAMPTZ(3) NOT NULL,
    "states" "delivery_state"[],
    "per_second" INTEGER NOT NULL,
    "state" "redelivery_state" NOT NULL DEFAULT 'RUNNING',
    "total" INTEGER NOT NULL,
    "started" INTEGER NOT NULL DEFAULT 0,
    "cursor" UUID,
    "requested_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "due_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_redelivery_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "webhook_redelivery_state" CHECK (("state" = 'RUNNING') = ("due_at" IS NOT NULL) AND ("state" = 'RUNNING') = ("completed_at" IS NULL)),
    CONSTRAINT "webhook_redelivery_pace" CHECK ("per_second" > 0 AND "period_from" < "period_to")
);
CREATE INDEX "webhook_redelivery_merchant_id_environment_id_idx" ON "webhook_redelivery"("merchant_id", "environment", "id");
CREATE INDEX "webhook_redelivery_due" ON "webhook_redelivery"("due_at") WHERE "state" = 'RUNNING';

ALTER TABLE "webhook_delivery"
    ADD COLUMN "ordered" BOOLEAN NOT NULL DEFAULT true,
    ADD COLUMN "priority" SMALLINT NOT NULL DEFAULT 0,
    ADD COLUMN "trigger" "delivery_trigger" NOT NULL DEFAULT 'automatic',
    ADD COLUMN "triggered_by" TEXT,
    ADD COLUMN "redelivery_id" UUID,
    ADD COLUMN "failure_count" INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN "last_attempt_at" TIMESTAMPTZ(3),
    ADD COLUMN "delivered_at" TIMESTAMPTZ(3),
    ADD CONSTRAINT "webhook_delivery_redelivery_id_fkey" FOREIGN KEY ("redelivery_id") REFERENCES "webhook_redelivery"("id") ON DELETE SET NULL ON UPDATE CASCADE;
UPDATE "webhook_delivery" d SET
    "failure_count" = d."attempt_count" - CASE WHEN d."state" = 'DELIVERED' THEN 1 ELSE 0 END,
    "priority" = CASE WHEN d."attempt_count" > 0 THEN 1 ELSE 0 END,
    "last_attempt_at" = (SELECT max(a."started_at") FROM "webhook_attempt" a WHERE a."delivery_id" = d."id"),
    "delivered_at" = CASE WHEN d."state" = 'DELIVERED' THEN d."settled_at" END,
    "state" = CASE WHEN d."state" = 'PENDING' AND d."lease_until" IS NOT NULL THEN 'SENDING' ELSE d."state" END;
ALTER TABLE "webhook_delivery"
    ADD CONSTRAINT "webhook_delivery_due_at" CHECK (("state" IN ('PENDING', 'SENDING')) = ("due_at" IS NOT NULL)),
    ADD CONSTRAINT "webhook_delivery_lease" CHECK (("state" = 'SENDING') = ("lease_until" IS NOT NULL)),
    ADD CONSTRAINT "webhook_delivery_delivered" CHECK ("state" <> 'DELIVERED' OR "delivered_at" IS NOT NULL);

DROP INDEX "webhook_delivery_due";
DROP INDEX "webhook_delivery_one_open_per_bill";
DROP INDEX "webhook_delivery_bill_id_idx";
DROP INDEX "webhook_delivery_endpoint_id_bill_id_event_number_key";
CREATE UNIQUE INDEX "webhook_delivery_bill_id_event_number_endpoint_id_key" ON "webhook_delivery"("bill_id", "event_number", "endpoint_id");
CREATE INDEX "webhook_delivery_due" ON "webhook_delivery"("endpoint_id", "priority", "due_at", "id") WHERE "state" = 'PENDING';
CREATE INDEX "webhook_delivery_in_flight" ON "webhook_delivery"("endpoint_id", "lease_until") WHERE "state" = 'SENDING';
CREATE UNIQUE INDEX "webhook_delivery_one_open_per_bill" ON "webhook_delivery"("endpoint_id", "bill_id") WHERE "state" IN ('PENDING', 'SENDING') AND "ordered";
CREATE INDEX "webhook_delivery_redelivery" ON "webhook_delivery"("redelivery_id") WHERE "redelivery_id" IS NOT NULL;

ALTER TABLE "webhook_attempt" RENAME TO "webhook_attempt_before";
ALTER TABLE "webhook_attempt_before" RENAME CONSTRAINT "webhook_attempt_pkey" TO "webhook_attempt_before_pkey";
CREATE TABLE "webhook_attempt" (
    "id" UUID NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "merchant_id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "delivery_id" UUID,
    "message_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "trigger" "delivery_trigger" NOT NULL,
    "triggered_by" TEXT,
    "url" TEXT NOT NULL,
    "address" TEXT,
    "dns_ms" INTEGER,
    "connect_ms" INTEGER,
    "tls_ms" INTEGER,
    "first_byte_ms" INTEGER,
    "duration_ms" INTEGER NOT NULL,
    "http_status" INTEGER,
    "response_headers" JSONB NOT NULL,
    "response_body" BYTEA NOT NULL,
    "error_class" TEXT,
    "error_data" JSONB NOT NULL,
    "next_attempt_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_attempt_pkey" PRIMARY KEY ("id", "started_at")
) PARTITION BY RANGE ("started_at");
CREATE INDEX "webhook_attempt_delivery_id_started_at_idx" ON "webhook_attempt"("delivery_id", "started_at");
-- Takes what no partition was made for. The worker makes those of the weeks to come, and moves what is found here into them.
CREATE TABLE "webhook_attempt_default" PARTITION OF "webhook_attempt" DEFAULT;
INSERT INTO "webhook_attempt" ("id", "started_at", "merchant_id", "environment", "delivery_id", "message_id", "number", "trigger", "url", "duration_ms",
    "http_status", "response_headers", "response_body", "error_class", "error_data", "next_attempt_at")
SELECT "id", "started_at", "merchant_id", "environment", "delivery_id", 'msg_' || "delivery_id", "number", 'automatic', "url", "duration_ms",
    "http_status", "response_headers", "response_body", "error_class", jsonb_strip_nulls(jsonb_build_object('detail', "error_detail")), "next_attempt_at"
FROM "webhook_attempt_before";
DROP TABLE "webhook_attempt_before";

CREATE TABLE "event_feed_entry" (
    "delivery_id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "number" BIGINT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "event_number" INTEGER NOT NULL,

    CONSTRAINT "event_feed_entry_pkey" PRIMARY KEY ("delivery_id"),
    CONSTRAINT "event_feed_entry_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "webhook_delivery"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "event_feed_entry_merchant_id_environment_number_key" ON "event_feed_entry"("merchant_id", "environment", "number");
-- In the order in which they get their numbers: a bill's events follow each other in both columns.
CREATE INDEX "event_feed_entry_unnumbered" ON "event_feed_entry"("merchant_id", "environment", "created_at", "event_number", "delivery_id") WHERE "number" IS NULL;

-- What happened before there was an address: kept for the feed, and for whoever wants it sent after all.
INSERT INTO "webhook_delivery" ("id", "merchant_id", "environment", "endpoint_id", "bill_id", "event_number", "bill_status", "body", "state", "created_at")
SELECT (lpad(to_hex((extract(epoch FROM e."at") * 1000)::bigint), 12, '0') || '7' || substr(r.hex, 1, 3) || '8' || substr(r.hex, 4, 15))::uuid,
    e."merchant_id", e."environment", w."id", e."bill_id", e."number", upper(substr(e."type", 6))::bill_status,
    convert_to('{"bill":{"id":"' || b."id" || '","mobile":' || coalesce(to_json(b."mobile")::text, 'null') || ',"amount":' || b."amount" / 100 || '.'
        || CASE WHEN b."amount" % 10 = 0 THEN (b."amount" % 100 / 10)::text ELSE lpad((b."amount" % 100)::text, 2, '0') END
        || ',"status":"' || upper(substr(e."type", 6)) || '","reference":' || to_json(b."reference")::text || '}}', 'UTF8'),
    'UNSENT', e."at"
FROM "bill_event" e
JOIN "bill" b ON b."id" = e."bill_id"
JOIN "webhook_endpoint" w ON w."merchant_id" = e."merchant_id" AND w."environment" = e."environment"
CROSS JOIN LATERAL (SELECT replace(gen_random_uuid()::text, '-', '') AS hex, e."number") r
WHERE e."type" IN ('bill.not_paid', 'bill.partially_paid', 'bill.fully_paid')
    AND NOT EXISTS (SELECT 1 FROM "webhook_delivery" d WHERE d."endpoint_id" = w."id" AND d."bill_id" = e."bill_id" AND d."event_number" = e."number");
INSERT INTO "event_feed_entry" ("delivery_id", "merchant_id", "environment", "created_at", "event_number")
SELECT "id", "merchant_id", "environment", "created_at", "event_number" FROM "webhook_delivery";
