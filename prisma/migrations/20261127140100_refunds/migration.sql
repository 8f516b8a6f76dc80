-- One table for all money that goes back: by a reversal, by a payout, or by hand. Requests for reversals and marks "refunded outside" become
-- its rows. While an upgrade is under way, workers of the previous version send no reversals: their table is gone.
CREATE TYPE "payment_source" AS ENUM ('provider', 'cash', 'bank', 'other');
CREATE TYPE "refund_state" AS ENUM ('ASKED', 'APPROVED', 'QUEUED', 'SENDING', 'UNKNOWN', 'DONE', 'FAILED');
CREATE TYPE "refund_way" AS ENUM ('reversal', 'payout', 'hand');

ALTER TABLE "payment" ADD COLUMN "source" "payment_source" NOT NULL DEFAULT 'provider',
    DROP CONSTRAINT "payment_reversal_names_payment",
    ADD CONSTRAINT "payment_reversal_names_payment" CHECK (("kind" IN ('reversal', 'refund')) = ("reverses_id" IS NOT NULL));
ALTER TABLE "merchant_profile" ADD COLUMN "refund_limit" BIGINT,
    ADD CONSTRAINT "merchant_profile_refund_limit_not_negative" CHECK ("refund_limit" >= 0);

-- Money that passes through the hands of the merchant's people, not through a provider, has an account of its own: `hand`.
CREATE UNIQUE INDEX "provider_account_hand"
    ON "provider_account"("environment", coalesce("merchant_id", '00000000-0000-0000-0000-000000000000')) WHERE "provider" = 'hand';

CREATE TABLE "refund" (
    "id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "merchant_id" UUID,
    "payment_id" UUID NOT NULL,
    "bill_id" UUID,
    "amount" BIGINT NOT NULL,
    "whole" BOOLEAN NOT NULL,
    "way" "refund_way" NOT NULL,
    "state" "refund_state" NOT NULL,
    "our_reference" TEXT NOT NULL,
    "provider_reference" TEXT,
    "failure_reason" TEXT,
    "reason" TEXT NOT NULL,
    "requested_by" TEXT NOT NULL,
    "requested_by_id" UUID,
    "decided_by" TEXT,
    "source" "payment_source",
    "idempotency_key" TEXT,
    "request_hash" BYTEA,
    "send_count" INTEGER NOT NULL DEFAULT 0,
    "query_count" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3),
    "lease_until" TIMESTAMPTZ(3),
    "lease_token" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "sent_at" TIMESTAMPTZ(3),
    "settled_at" TIMESTAMPTZ(3),
    "entry_id" UUID,

    CONSTRAINT "refund_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "refund_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "payment"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "refund_bill_id_fkey" FOREIGN KEY ("bill_id") REFERENCES "bill"("id") ON DELETE SET NULL ON UPDATE CASCADE,
    CONSTRAINT "refund_entry_id_fkey" FOREIGN KEY ("entry_id") REFERENCES "payment"("id") ON DELETE SET NULL ON UPDATE CASCADE,
    CONSTRAINT "refund_amount_positive" CHECK ("amount" > 0),
    CONSTRAINT "refund_our_reference_form" CHECK ("our_reference" ~ '^[A-Z0-9]{20}$'),
    CONSTRAINT "refund_failure_has_reason" CHECK (("state" = 'FAILED') = ("failure_reason" IS NOT NULL)),
    CONSTRAINT "refund_by_hand_is_not_sent" CHECK ("way" <> 'hand' OR "state" IN ('ASKED', 'APPROVED', 'DONE', 'FAILED')),
    CONSTRAINT "refund_of_provider_is_queued" CHECK ("way" = 'hand' OR "state" <> 'APPROVED'),
    CONSTRAINT "refund_source_of_hand" CHECK (("source" IS NOT NULL) = ("way" = 'hand' AND "state" = 'DONE')),
    CONSTRAINT "refund_key_has_hash" CHECK (("idempotency_key" IS NULL) = ("request_hash" IS NULL))
);
CREATE UNIQUE INDEX "refund_our_reference_key" ON "refund"("our_reference");
CREATE UNIQUE INDEX "refund_entry_id_key" ON "refund"("entry_id");
CREATE INDEX "refund_payment_id_idx" ON "refund"("payment_id");
CREATE INDEX "refund_bill_id_idx" ON "refund"("bill_id");
CREATE INDEX "refund_merchant_id_environment_id_idx" ON "refund"("merchant_id", "environment", "id");
CREATE INDEX "refund_due" ON "refund"("due_at") WHERE "due_at" IS NOT NULL;
-- The work lists of people.
CREATE INDEX "refund_open" ON "refund"("merchant_id", "environment", "id") WHERE "state" NOT IN ('DONE', 'FAILED');
CREATE UNIQUE INDEX "refund_one_open_per_payment" ON "refund"("payment_id") WHERE "state" NOT IN ('DONE', 'FAILED');
CREATE UNIQUE INDEX "refund_idempotency_key" ON "refund"("merchant_id", "environment", "idempotency_key") WHERE "idempotency_key" IS NOT NULL;

CREATE TABLE "refund_limit_change" (
    "merchant_id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "limit" BIGINT,
    "asked_by" TEXT NOT NULL,
    "asked_by_id" UUID,
    "asked_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "refund_limit_change_pkey" PRIMARY KEY ("merchant_id", "environment"),
    CONSTRAINT "refund_limit_change_merchant_id_environment_fkey" FOREIGN KEY ("merchant_id", "environment")
        REFERENCES "merchant_profile"("merchant_id", "environment") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "refund_limit_change_not_negative" CHECK ("limit" >= 0)
);

-- What the guards of the ledger count as given back
-- -------------------------------------------------

-- Returns what belongs to no bill and did not go back: the amount of a payment less its reversals, refunds and allocations, including
-- corrections. Negative if the provider reversed money that had gone back another way.
CREATE FUNCTION "unmatched_of"("payment" UUID) RETURNS BIGINT LANGUAGE sql STABLE AS $$
  SELECT (p."amount"
      - coalesce((SELECT sum(a."amount") FROM "payment_allocation" a WHERE a."payment_id" = p."id"), 0)
      - coalesce((SELECT sum(r."amount" + coalesce((SELECT sum(a."amount") FROM "payment_allocation" a WHERE a."payment_id" = r."id"), 0))
                  FROM "payment" r WHERE r."reverses_id" = p."id"), 0)
      + coalesce((SELECT sum(CASE WHEN c."corrects_id" = p."id" THEN k."amount" ELSE -k."amount" END
                             - coalesce((SELECT sum(a."amount") FROM "payment_allocation" a WHERE a."payment_id" = k."id"), 0))
                  FROM "payment_correction" c JOIN "payment" k ON k."id" = c."id" WHERE c."payment_id" = p."id"), 0))::bigint
  FROM "payment" p WHERE p."id" = $1
$$;

CREATE OR REPLACE FUNCTION "check_payment_balance"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  checked uuid;
  original uuid;
  received numeric;
  allocated numeric;
  smallest bigint;
  reversed numeric;
  refunded numeric;
  taken numeric;
  largest bigint;
  overtaken boolean;
  added numeric;
  unreversed numeric;
  unrefunded numeric;
  moved numeric;
  misplaced boolean;
  checks_refunds boolean;
BEGIN
  IF TG_TABLE_NAME = 'payment' THEN checked := NEW."id"; ELSE checked := NEW."payment_id"; END IF;
  SELECT coalesce(p."reverses_id", (SELECT c."payment_id" FROM "payment_correction" c WHERE c."id" = p."id"), p."id"),
    p."kind" = 'payment' OR (p."kind" = 'refund' AND p."source" <> 'provider')
  INTO original, checks_refunds FROM "payment" p WHERE p."id" = checked;
  -- The right amount of a payment may be less than what went back. But no person may raise a refund above what is left.
  IF TG_TABLE_NAME = 'payment_correction' THEN
    SELECT e."kind" = 'refund' AND k."amount" > 0 INTO checks_refunds FROM "payment" e, "payment" k
    WHERE e."id" = NEW."corrects_id" AND k."id" = NEW."id";
  END IF;
  PERFORM 1 FROM "payment" WHERE "id" = original FOR NO KEY UPDATE;
  SELECT "amount" INTO received FROM "payment" WHERE "id" = original AND "kind" = 'payment';
  IF received IS NULL THEN RAISE EXCEPTION 'reversal % does not reverse a payment', checked; END IF;

  SELECT coalesce(sum("amount"), 0), min("amount") INTO allocated, smallest FROM "payment_allocation" WHERE "payment_id" = original;
  -- What each reversal and refund took from bills is negative.
  SELECT coalesce(sum(r."amount") FILTER (WHERE r."kind" = 'reversal'), 0), coalesce(sum(r."amount") FILTER (WHERE r."kind" = 'refund'), 0),
    coalesce(sum(t."total"), 0), max(t."largest"), bool_or(-t."total" > r."amount")
  INTO reversed, refunded, taken, largest, overtaken
  FROM "payment" r
  CROSS JOIN LATERAL (SELECT coalesce(sum("amount"), 0) AS "total", max("amount") AS "largest"
                      FROM "payment_allocation" WHERE "payment_id" = r."id") t
  WHERE r."reverses_id" = original;
  -- A correction of a reversal or refund moves money the other way.
  SELECT coalesce(sum(k."amount") FILTER (WHERE c."corrects_id" = original), 0),
    coalesce(-sum(k."amount") FILTER (WHERE e."kind" = 'reversal'), 0), coalesce(-sum(k."amount") FILTER (WHERE e."kind" = 'refund'), 0),
    coalesce(sum(t."total"), 0),
    bool_or(CASE WHEN (k."amount" > 0) = (c."corrects_id" = original) THEN t."smallest" <= 0 OR t."total" > abs(k."amount")
            ELSE t."largest" >= 0 OR t."total" < -abs(k."amount") END)
  INTO added, unreversed, unrefunded, moved, misplaced
  FROM "payment_correction" c JOIN "payment" k ON k."id" = c."id" JOIN "payment" e ON e."id" = c."corrects_id"
  CROSS JOIN LATERAL (SELECT sum("amount") AS "total", min("amount") AS "smallest", max("amount") AS "largest"
                      FROM "payment_allocation" WHERE "payment_id" = c."id") t
  WHERE c."payment_id" = original;
  received := received + added;
  reversed := reversed - unreversed;
  refunded := refunded - unrefunded;

  IF received < reversed THEN RAISE EXCEPTION 'more of payment % is reversed than was received', original; END IF;
  IF received < allocated + reversed + taken + moved THEN RAISE EXCEPTION 'more of payment % is allocated than there is', original; END IF;
  -- What the provider reverses or pays out is booked, although it had gone back another way. What a person allocates or gives back must be
  -- there.
  IF checks_refunds AND received < allocated + reversed + taken + moved + refunded THEN
    RAISE EXCEPTION 'more of payment % is allocated or given back than there is', original;
  END IF;
  IF smallest <= 0 OR largest > 0 THEN RAISE EXCEPTION 'an allocation of payment % has the wrong sign', original; END IF;
  IF overtaken THEN RAISE EXCEPTION 'a reversal of payment % takes more from bills than it takes back', original; END IF;
  IF misplaced THEN RAISE EXCEPTION 'a correction of payment % moves other money on bills than it corrects', original; END IF;
  IF EXISTS (
    SELECT 1 FROM "payment_correction" c JOIN "payment" e ON e."id" = c."corrects_id" JOIN "payment" k ON k."id" = c."id"
    WHERE c."payment_id" = original GROUP BY e."id" HAVING e."amount" + sum(k."amount") < 0) THEN
    RAISE EXCEPTION 'an entry of payment % is corrected to less than nothing', original;
  END IF;
  RETURN NULL;
END $$;
DROP TRIGGER "reversal_fits_payment" ON "payment";
CREATE CONSTRAINT TRIGGER "reversal_fits_payment" AFTER INSERT ON "payment"
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW."kind" IN ('reversal', 'refund')) EXECUTE FUNCTION "check_payment_balance"();

CREATE OR REPLACE FUNCTION "count_reversed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE bill SET reversed_amount = reversed_amount - NEW.amount
  WHERE id = NEW.bill_id AND EXISTS (SELECT 1 FROM payment WHERE id = NEW.payment_id AND kind IN ('reversal', 'refund'));
  RETURN NULL;
END
$$;

-- What the two old tables say
-- ---------------------------

ALTER TABLE "review" DROP CONSTRAINT "review_reversal_request_id_fkey";
ALTER TABLE "provider_message" DROP CONSTRAINT "provider_message_reversal_request_id_fkey";
INSERT INTO "refund" ("id", "environment", "merchant_id", "payment_id", "amount", "whole", "way", "state", "our_reference", "failure_reason", "reason",
    "requested_by", "send_count", "query_count", "due_at", "lease_until", "lease_token", "created_at", "sent_at", "settled_at")
SELECT r."id", r."environment", p."merchant_id", r."payment_id", r."amount", r."whole", 'reversal',
    CASE r."state" WHEN 'SUCCEEDED' THEN 'DONE' ELSE r."state"::text END::"refund_state",
    r."our_reference", r."failure_reason", r."reason", r."requested_by", r."send_count", r."query_count", r."due_at", r."lease_until",
    r."lease_token", r."created_at", r."sent_at", r."settled_at"
FROM "reversal_request" r JOIN "payment" p ON p."id" = r."payment_id";
DROP TABLE "reversal_request";
DROP TYPE "reversal_state";

INSERT INTO "provider_account" ("id", "till_id", "environment", "merchant_id", "provider", "label", "networks", "created_at", "disabled_at")
SELECT h."id", h."id", h."environment", h."merchant_id", 'hand', 'By hand', '{}', now(), now()
FROM (SELECT gen_random_uuid() AS "id", p."environment", p."merchant_id" FROM "refund_mark" m JOIN "payment" p ON p."id" = m."payment_id"
      WHERE m."amount" > 0 GROUP BY p."environment", p."merchant_id") h;
INSERT INTO "payment" ("id", "environment", "merchant_id", "provider_account_id", "provider_transaction_id", "kind", "source", "amount", "mobile",
    "reverses_id", "recorded_at")
SELECT m."id", p."environment", p."merchant_id", h."id", upper(left(md5(m."id"::text), 20)), 'refund', 'other', m."amount", p."mobile", p."id",
    m."created_at"
FROM "refund_mark" m JOIN "payment" p ON p."id" = m."payment_id"
  JOIN "provider_account" h ON h."provider" = 'hand' AND h."environment" = p."environment" AND h."merchant_id" IS NOT DISTINCT FROM p."merchant_id"
WHERE m."amount" > 0;
INSERT INTO "refund" ("id", "environment", "merchant_id", "payment_id", "amount", "whole", "way", "state", "our_reference", "reason", "requested_by",
    "decided_by", "source", "created_at", "settled_at", "entry_id")
SELECT e."id", e."environment", e."merchant_id", m."payment_id", m."amount", false, 'hand', 'DONE', e."provider_transaction_id", m."reason",
    m."created_by", m."created_by", 'other', m."created_at", m."created_at", e."id"
FROM "refund_mark" m JOIN "payment" e ON e."id" = m."id" AND e."kind" = 'refund';
DROP TABLE "refund_mark";
DROP FUNCTION "fill_refund_mark"();
DROP FUNCTION "unallocated_of"(UUID);

ALTER TABLE "review" ADD CONSTRAINT "review_reversal_request_id_fkey" FOREIGN KEY ("reversal_request_id") REFERENCES "refund"("id")
    ON DELETE SET NULL ON UPDATE CASCADE;
ALTER TABLE "provider_message" ADD CONSTRAINT "provider_message_reversal_request_id_fkey" FOREIGN KEY ("reversal_request_id") REFERENCES "refund"("id")
    ON DELETE SET NULL ON UPDATE CASCADE;
