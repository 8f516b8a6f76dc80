-- The schema of Bili, subject by subject: merchants, people, API keys, bills, provider accounts, prompts, the ledger, provider
-- messages, statements, the simulated provider, webhooks, the overview, mails and notices, the audit log, processes.
-- A table comes after the tables that it refers to. The order of its columns has no meaning.
--
-- prisma/schema.prisma explains the tables and columns. This file adds what Prisma does not express: CHECK constraints, partial
-- indexes, functions and triggers. prisma/catalogue.txt lists these, and a test compares the list with the migrated database.
-- Amounts are in senti (1/100 TZS). Instants have milliseconds. A day is a day in East Africa (UTC+3).

CREATE TYPE "environment" AS ENUM ('live', 'sandbox');


-- Merchants
-- ---------

CREATE TYPE "profile_status" AS ENUM ('pending', 'active', 'suspended', 'closed');

-- The payment page shows the brand to customers: its form is checked here too, whatever wrote it.
CREATE TABLE "merchant" (
    "id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "brand_colour" TEXT,
    "logo" BYTEA,
    "logo_hash" TEXT,
    "logo_height" SMALLINT,
    "logo_type" TEXT,
    "logo_width" SMALLINT,
    "support_number" TEXT,
    "language" TEXT,
    "notify" JSONB NOT NULL DEFAULT '{}',
    "require_second_factor" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "merchant_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "merchant_language" CHECK ("language" IN ('sw', 'en')),
    CONSTRAINT "merchant_brand_colour_check" CHECK ("brand_colour" ~ '^#[0-9a-f]{6}$'),
    CONSTRAINT "merchant_support_number_check" CHECK ("support_number" ~ '^0[0-9]{9}$'),
    CONSTRAINT "merchant_logo_size_check" CHECK (octet_length("logo") BETWEEN 1 AND 3072),
    CONSTRAINT "merchant_logo_type_check" CHECK ("logo_type" IN ('image/png', 'image/jpeg')),
    CONSTRAINT "merchant_logo_hash_check" CHECK ("logo_hash" = encode(sha256("logo"), 'hex')),
    CONSTRAINT "merchant_logo_box_check" CHECK ("logo_width" BETWEEN 1 AND 144 AND "logo_height" BETWEEN 1 AND 48),
    CONSTRAINT "merchant_logo_whole_check" CHECK (num_nulls("logo", "logo_type", "logo_hash", "logo_width", "logo_height") IN (0, 5))
);
CREATE UNIQUE INDEX "merchant_slug_key" ON "merchant"("slug");

CREATE TABLE "merchant_profile" (
    "merchant_id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "status" "profile_status" NOT NULL,
    "unique_references" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "partial_payments" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "merchant_profile_pkey" PRIMARY KEY ("merchant_id", "environment"),
    CONSTRAINT "merchant_profile_merchant_id_fkey" FOREIGN KEY ("merchant_id")
        REFERENCES "merchant"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);


-- People who sign in to the dashboard
-- -----------------------------------

CREATE TYPE "role" AS ENUM ('owner', 'admin', 'viewer', 'collector');
CREATE TYPE "account_link_kind" AS ENUM ('reset', 'sign_up', 'email');

CREATE TABLE "user" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "password_hash" TEXT NOT NULL,
    "operator" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "email_verified_at" TIMESTAMPTZ(3),

    CONSTRAINT "user_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "user_email_key" ON "user"("email");

CREATE TABLE "membership" (
    "merchant_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "role" "role" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "membership_pkey" PRIMARY KEY ("merchant_id", "user_id"),
    CONSTRAINT "membership_merchant_id_fkey" FOREIGN KEY ("merchant_id")
        REFERENCES "merchant"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "membership_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "membership_user_id_idx" ON "membership"("user_id");

CREATE TABLE "session" (
    "id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "user_id" UUID NOT NULL,
    "user_agent" TEXT,
    "address" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "proven_at" TIMESTAMPTZ(3) NOT NULL,
    "code_due" BOOLEAN NOT NULL DEFAULT false,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "session_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "session_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "session_token_hash_key" ON "session"("token_hash");
CREATE INDEX "session_user_id_idx" ON "session"("user_id");

CREATE TABLE "invitation" (
    "id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "role" "role" NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "accepted_at" TIMESTAMPTZ(3),
    "invited_by" TEXT NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "mailed" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "invitation_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "invitation_merchant_id_fkey" FOREIGN KEY ("merchant_id")
        REFERENCES "merchant"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "invitation_merchant_id_idx" ON "invitation"("merchant_id");
CREATE UNIQUE INDEX "invitation_token_hash_key" ON "invitation"("token_hash");
-- An address has one open invitation of a merchant, even if two members invite it at the same moment.
CREATE UNIQUE INDEX "invitation_one_open" ON "invitation"("merchant_id", "email") WHERE "accepted_at" IS NULL AND "revoked_at" IS NULL;

CREATE TABLE "second_factor" (
    "user_id" UUID NOT NULL,
    "encrypted_secret" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3),
    "last_step" BIGINT,

    CONSTRAINT "second_factor_pkey" PRIMARY KEY ("user_id"),
    CONSTRAINT "second_factor_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE TABLE "recovery_code" (
    "user_id" UUID NOT NULL,
    "code_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "recovery_code_pkey" PRIMARY KEY ("user_id", "code_hash"),
    CONSTRAINT "recovery_code_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE TABLE "account_link" (
    "id" UUID NOT NULL,
    "kind" "account_link_kind" NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "email" TEXT NOT NULL,
    "user_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "mailed" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "account_link_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "account_link_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE SET NULL ON UPDATE CASCADE
);
CREATE INDEX "account_link_expires_at_idx" ON "account_link"("expires_at");
CREATE UNIQUE INDEX "account_link_token_hash_key" ON "account_link"("token_hash");
CREATE INDEX "account_link_user_id_idx" ON "account_link"("user_id");

-- rate-limiter-flexible writes this table and relies on the order of its columns.
CREATE TABLE "throttle" (
    "key" VARCHAR(255) NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "throttle_pkey" PRIMARY KEY ("key")
);
CREATE INDEX "throttle_expire_idx" ON "throttle"("expire");


-- API keys and requests
-- ---------------------

CREATE TABLE "api_key" (
    "id" TEXT NOT NULL,
    "merchant_id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "label" TEXT NOT NULL,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "last_address" TEXT,
    "last_route" TEXT,
    "networks" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "bill_max" BIGINT,
    "day_max" BIGINT,
    "replaces_id" TEXT,
    "first_id" TEXT NOT NULL,

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "api_key_first_id_fkey" FOREIGN KEY ("first_id") REFERENCES "api_key"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "api_key_merchant_id_environment_fkey" FOREIGN KEY ("merchant_id", "environment")
        REFERENCES "merchant_profile"("merchant_id", "environment") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "api_key_replaces_id_fkey" FOREIGN KEY ("replaces_id") REFERENCES "api_key"("id") ON DELETE SET NULL ON UPDATE CASCADE,
    CONSTRAINT "api_key_limits" CHECK ("bill_max" > 0 AND "day_max" > 0)
);
CREATE INDEX "api_key_merchant_id_environment_idx" ON "api_key"("merchant_id", "environment");
CREATE INDEX "api_key_replaces_id_idx" ON "api_key"("replaces_id");

CREATE TABLE "api_key_day" (
    "key_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "uses" BIGINT NOT NULL DEFAULT 0,
    "billed" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "api_key_day_pkey" PRIMARY KEY ("key_id", "day"),
    CONSTRAINT "api_key_day_key_id_fkey" FOREIGN KEY ("key_id") REFERENCES "api_key"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE TABLE "idempotency_key" (
    "merchant_id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" BYTEA NOT NULL,
    "response" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_key_pkey" PRIMARY KEY ("merchant_id", "environment", "key")
);
CREATE INDEX "idempotency_key_expires_at_idx" ON "idempotency_key"("expires_at");

-- How many requests of a rate limit each web process allows. The rows are useless after a crash, so the table is not logged.
CREATE UNLOGGED TABLE "rate_use" (
    "subject" TEXT NOT NULL,
    "process_id" UUID NOT NULL,
    "per_second" DOUBLE PRECISION NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "rate_use_pkey" PRIMARY KEY ("subject", "process_id")
);


-- Bills
-- -----

CREATE TYPE "bill_status" AS ENUM ('NOT_PAID', 'PARTIALLY_PAID', 'FULLY_PAID');

CREATE TABLE "bill" (
    "id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "amount" BIGINT NOT NULL,
    "reference" TEXT NOT NULL,
    "unique_reference" TEXT,
    "mobile" TEXT,
    "paid_amount" BIGINT NOT NULL DEFAULT 0,
    "reserved_amount" BIGINT NOT NULL DEFAULT 0,
    "status" "bill_status" NOT NULL DEFAULT 'NOT_PAID',
    "event_count" INTEGER NOT NULL DEFAULT 1,
    "version" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "paid_at" TIMESTAMPTZ(3),
    "closed_at" TIMESTAMPTZ(3),
    "created_by_id" UUID,
    "reversed_amount" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "bill_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "bill_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "user"("id") ON DELETE SET NULL ON UPDATE CASCADE,
    CONSTRAINT "bill_merchant_id_environment_fkey" FOREIGN KEY ("merchant_id", "environment")
        REFERENCES "merchant_profile"("merchant_id", "environment") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "bill_amount_positive" CHECK ("amount" > 0),
    CONSTRAINT "bill_paid_not_negative" CHECK ("paid_amount" >= 0),
    CONSTRAINT "bill_reserved_not_negative" CHECK ("reserved_amount" >= 0),
    CONSTRAINT "bill_status_follows_paid_amount" CHECK ("status" = CASE
        WHEN "paid_amount" = 0 THEN 'NOT_PAID'::"bill_status"
        WHEN "paid_amount" < "amount" THEN 'PARTIALLY_PAID'::"bill_status"
        ELSE 'FULLY_PAID'::"bill_status" END)
);
CREATE UNIQUE INDEX "bill_merchant_id_environment_unique_reference_key" ON "bill"("merchant_id", "environment", "unique_reference")
    WHERE "unique_reference" IS NOT NULL;

-- The list of bills. Creating a bill writes as few index entries as possible: there is no index of all bills by id, because the
-- list of all bills merges the lists of the three statuses.
CREATE INDEX "bill_merchant_id_environment_status_id_idx" ON "bill"("merchant_id", "environment", "status", "id");
CREATE INDEX "bill_merchant_id_environment_amount_id_idx" ON "bill"("merchant_id", "environment", "amount", "id");
-- Finds references by their beginning, in a database of any collation.
CREATE INDEX "bill_merchant_id_environment_reference_idx" ON "bill"("merchant_id", "environment", "reference" text_pattern_ops);
-- A bill gets its entries in these two later in its life, or never.
CREATE INDEX "bill_paid" ON "bill"("merchant_id", "environment", "paid_at", "id") WHERE "paid_at" IS NOT NULL;
CREATE INDEX "bill_closed" ON "bill"("merchant_id", "environment", "id") WHERE "closed_at" IS NOT NULL;
-- Few bills are created in the dashboard. This finds a member's own, without an entry for every other bill.
CREATE INDEX "bill_created_by" ON "bill"("merchant_id", "environment", "created_by_id", "id") WHERE "created_by_id" IS NOT NULL;
-- Few bills are overpaid. What a customer owes is the amount rounded up to whole shillings.
CREATE INDEX "bill_overpaid" ON "bill"("merchant_id", "environment", "id") WHERE "paid_amount" > ("amount" + 99) / 100 * 100;

CREATE TABLE "bill_event" (
    "bill_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "merchant_id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "type" TEXT NOT NULL,
    "data" JSONB NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "bill_event_pkey" PRIMARY KEY ("bill_id", "number"),
    CONSTRAINT "bill_event_bill_id_fkey" FOREIGN KEY ("bill_id") REFERENCES "bill"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
-- Few events are of this type. The overview lists them among what needs attention.
CREATE INDEX "bill_event_unmatched" ON "bill_event"("merchant_id", "environment") WHERE "type" = 'payment.unmatched';

CREATE TABLE "bill_note" (
    "id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "bill_id" UUID NOT NULL,
    "created_by" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "bill_note_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "bill_note_bill_id_fkey" FOREIGN KEY ("bill_id") REFERENCES "bill"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "bill_note_bill_id_idx" ON "bill_note"("bill_id");

CREATE TABLE "receipt" (
    "code" TEXT NOT NULL,
    "merchant_id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "bill_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "receipt_pkey" PRIMARY KEY ("code"),
    CONSTRAINT "receipt_bill_id_fkey" FOREIGN KEY ("bill_id") REFERENCES "bill"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "receipt_bill_id_idx" ON "receipt"("bill_id");

CREATE TABLE "saved_view" (
    "id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "query" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "saved_view_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "saved_view_merchant_id_fkey" FOREIGN KEY ("merchant_id")
        REFERENCES "merchant"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "saved_view_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "saved_view_merchant_id_user_id_name_key" ON "saved_view"("merchant_id", "user_id", "name");
CREATE INDEX "saved_view_user_id_idx" ON "saved_view"("user_id");

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
-- Files that were checked and never imported. They are deleted after some time.
CREATE INDEX "bill_import_drafts" ON "bill_import"("created_at") WHERE "started_at" IS NULL;

CREATE TABLE "bill_import_row" (
    "import_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "amount" BIGINT,
    "reference" TEXT,
    "mobile" TEXT,
    "problems" JSONB NOT NULL,
    "bill_id" UUID,
    "refused" TEXT,

    CONSTRAINT "bill_import_row_pkey" PRIMARY KEY ("import_id", "number"),
    CONSTRAINT "bill_import_row_bill_id_fkey" FOREIGN KEY ("bill_id") REFERENCES "bill"("id") ON DELETE SET NULL ON UPDATE CASCADE,
    CONSTRAINT "bill_import_row_import_id_fkey" FOREIGN KEY ("import_id")
        REFERENCES "bill_import"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);


-- Provider accounts
-- -----------------

CREATE TYPE "call_kind" AS ENUM ('send', 'query');

CREATE TABLE "provider_account" (
    "id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "merchant_id" UUID,
    "provider" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "networks" TEXT[],
    "encrypted_credentials" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "disabled_at" TIMESTAMPTZ(3),
    "till_id" UUID NOT NULL,
    "call_limit" INTEGER,
    "down_since" TIMESTAMPTZ(3),

    CONSTRAINT "provider_account_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "provider_account_till_id_fkey" FOREIGN KEY ("till_id")
        REFERENCES "provider_account"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "provider_account_environment_merchant_id_idx" ON "provider_account"("environment", "merchant_id");

-- An account's till is the first account of the same owner at the same provider. Receipts are unique within a till, also after
-- the credentials were renewed. A trigger chooses the till, so that no statement can choose a wrong one.
CREATE FUNCTION "choose_till"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('choose_till'));
  NEW."till_id" := coalesce((
    SELECT t."id" FROM "provider_account" t
    WHERE t."environment" = NEW."environment" AND t."provider" = NEW."provider" AND t."merchant_id" IS NOT DISTINCT FROM NEW."merchant_id"
    ORDER BY t."created_at", t."id" LIMIT 1), NEW."id");
  RETURN NEW;
END $$;
CREATE TRIGGER "provider_account_till" BEFORE INSERT ON "provider_account" FOR EACH ROW EXECUTE FUNCTION "choose_till"();

CREATE TABLE "provider_session" (
    "account_id" UUID NOT NULL,
    "credentials_hash" BYTEA NOT NULL,
    "encrypted_token" BYTEA,
    "opened_at" TIMESTAMPTZ(3),
    "usable_at" TIMESTAMPTZ(3),
    "ends_at" TIMESTAMPTZ(3),
    "lease_until" TIMESTAMPTZ(3),
    "lease_token" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "provider_session_pkey" PRIMARY KEY ("account_id"),
    CONSTRAINT "provider_session_account_id_fkey" FOREIGN KEY ("account_id")
        REFERENCES "provider_account"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE TABLE "provider_health" (
    "account_id" UUID NOT NULL,
    "kind" "call_kind" NOT NULL,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "failing_since" TIMESTAMPTZ(3),
    "rest_until" TIMESTAMPTZ(3),
    "last_success_at" TIMESTAMPTZ(3),
    "last_failure_at" TIMESTAMPTZ(3),
    "last_error" TEXT,

    CONSTRAINT "provider_health_pkey" PRIMARY KEY ("account_id", "kind"),
    CONSTRAINT "provider_health_account_id_fkey" FOREIGN KEY ("account_id")
        REFERENCES "provider_account"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE TABLE "network_prefix" (
    "prefix" TEXT NOT NULL,
    "network" TEXT NOT NULL,

    CONSTRAINT "network_prefix_pkey" PRIMARY KEY ("prefix"),
    CONSTRAINT "network_prefix_form" CHECK ("prefix" ~ '^[67][0-9]$')
);
-- TCRA's numbering plan as followed by ClickPesa's tanzanian-phone-validator 1.1.8 (June 2026).
INSERT INTO "network_prefix" ("prefix", "network") VALUES
    ('61', 'halotel'), ('62', 'halotel'), ('63', 'halotel'),
    ('65', 'yas'), ('67', 'yas'), ('70', 'yas'), ('71', 'yas'), ('77', 'yas'),
    ('66', 'airtel'), ('68', 'airtel'), ('69', 'airtel'), ('78', 'airtel'),
    ('73', 'ttcl'),
    ('74', 'vodacom'), ('75', 'vodacom'), ('76', 'vodacom'), ('79', 'vodacom');


-- Prompts
-- -------

CREATE TYPE "attempt_state" AS ENUM ('QUEUED', 'SENDING', 'AWAITING_CUSTOMER', 'UNKNOWN', 'SUCCEEDED', 'FAILED', 'EXPIRED', 'CANCELLED');
CREATE TYPE "attempt_source" AS ENUM ('api', 'web', 'dashboard');
CREATE TYPE "refusal_state" AS ENUM ('REQUESTED', 'ACTIVE', 'LIFTED');

CREATE TABLE "push_attempt" (
    "id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "bill_id" UUID NOT NULL,
    "provider_account_id" UUID,
    "source" "attempt_source" NOT NULL,
    "mobile" TEXT NOT NULL,
    "network" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "our_reference" TEXT NOT NULL,
    "provider_reference" TEXT,
    "state" "attempt_state" NOT NULL DEFAULT 'QUEUED',
    "failure_reason" TEXT,
    "send_count" INTEGER NOT NULL DEFAULT 0,
    "query_count" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3),
    "lease_until" TIMESTAMPTZ(3),
    "lease_token" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "sent_at" TIMESTAMPTZ(3),
    "settled_at" TIMESTAMPTZ(3),
    "released_at" TIMESTAMPTZ(3),
    "unknown_since" TIMESTAMPTZ(3),
    "call_account_id" UUID,
    "call_token" INTEGER,
    "hinted" BOOLEAN NOT NULL DEFAULT false,
    "form_id" TEXT,
    "acknowledged_at" TIMESTAMPTZ(3),
    "answer_lost_at" TIMESTAMPTZ(3),
    "claimed_paid_at" TIMESTAMPTZ(3),
    "lapsed_leases" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "push_attempt_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "push_attempt_bill_id_fkey" FOREIGN KEY ("bill_id") REFERENCES "bill"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "push_attempt_provider_account_id_fkey" FOREIGN KEY ("provider_account_id")
        REFERENCES "provider_account"("id") ON DELETE SET NULL ON UPDATE CASCADE,
    CONSTRAINT "push_attempt_amount_whole_shillings" CHECK ("amount" > 0 AND "amount" % 100 = 0),
    CONSTRAINT "push_attempt_our_reference_form" CHECK ("our_reference" ~ '^[A-Z0-9]{20}$'),
    CONSTRAINT "push_attempt_failure_has_reason" CHECK (("state" = 'FAILED') = ("failure_reason" IS NOT NULL)),
    CONSTRAINT "push_attempt_unknown_since_some_time" CHECK (("state" = 'UNKNOWN') = ("unknown_since" IS NOT NULL))
);
CREATE INDEX "push_attempt_bill_id_idx" ON "push_attempt"("bill_id");
CREATE UNIQUE INDEX "push_attempt_our_reference_key" ON "push_attempt"("our_reference");

-- A bill has at most one open prompt per phone number. A released attempt may still succeed, but its number may get a new prompt.
CREATE UNIQUE INDEX "push_attempt_one_open_per_mobile" ON "push_attempt"("bill_id", "mobile")
    WHERE "state" IN ('QUEUED', 'SENDING', 'AWAITING_CUSTOMER', 'UNKNOWN') AND "released_at" IS NULL;

-- The workers' queues. An attempt that nothing is due for has no entry.
CREATE INDEX "push_attempt_due" ON "push_attempt"("due_at") WHERE "due_at" IS NOT NULL;
-- Attempts that no worker has put into an account's queue yet.
CREATE INDEX "push_attempt_unrouted" ON "push_attempt"("due_at") WHERE "due_at" IS NOT NULL AND "call_account_id" IS NULL;
-- Each account has two queues: prompts to send, and everything else.
CREATE INDEX "push_attempt_queue" ON "push_attempt"("call_account_id", ("state" = 'QUEUED'), "due_at")
    WHERE "due_at" IS NOT NULL AND "call_account_id" IS NOT NULL;
-- Calls under way.
CREATE INDEX "push_attempt_under_way" ON "push_attempt"("call_account_id") WHERE "call_token" IS NOT NULL;
CREATE INDEX "push_attempt_unknown" ON "push_attempt"("unknown_since", "id") WHERE "state" = 'UNKNOWN';
-- Matches a callback that does not contain our reference.
CREATE INDEX "push_attempt_provider_reference" ON "push_attempt"("provider_reference") WHERE "provider_reference" IS NOT NULL;

-- All prompts of a number.
CREATE INDEX "push_attempt_environment_mobile_created_at_idx" ON "push_attempt"("environment", "mobile", "created_at");
-- The prompts that count towards the limits of a number: those that may have reached the phone and were not approved. Attempts
-- that were refused before they were sent do not count, however many there are.
CREATE INDEX "push_attempt_prompts" ON "push_attempt"("environment", "mobile", "created_at")
    WHERE "state" NOT IN ('SUCCEEDED', 'CANCELLED') AND ("state" <> 'FAILED' OR "provider_account_id" IS NOT NULL);

-- The filters of the list of bills, and the overview. An attempt gets its entry in push_attempt_settled once, when it ends.
CREATE INDEX "push_attempt_merchant_id_environment_network_bill_id_idx" ON "push_attempt"("merchant_id", "environment", "network", "bill_id");
CREATE INDEX "push_attempt_failed_of_bill" ON "push_attempt"("merchant_id", "environment", "bill_id") WHERE "state" IN ('FAILED', 'EXPIRED');
CREATE INDEX "push_attempt_unknown_of_bill" ON "push_attempt"("merchant_id", "environment", "bill_id") WHERE "state" = 'UNKNOWN';
CREATE INDEX "push_attempt_unknown_of_merchant" ON "push_attempt"("merchant_id", "environment", "unknown_since") WHERE "state" = 'UNKNOWN';
CREATE INDEX "push_attempt_settled" ON "push_attempt"("merchant_id", "environment", "settled_at") WHERE "settled_at" IS NOT NULL;

CREATE TABLE "prompt_refusal" (
    "id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "mobile" TEXT NOT NULL,
    "state" "refusal_state" NOT NULL,
    "code" TEXT,
    "reason" TEXT,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "requested_from" TEXT,
    "decided_at" TIMESTAMPTZ(3),
    "decided_by" TEXT,

    CONSTRAINT "prompt_refusal_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "prompt_refusal_decided_by_somebody"
        CHECK (("state" = 'REQUESTED') = ("decided_at" IS NULL) AND ("decided_at" IS NULL) = ("decided_by" IS NULL)),
    CONSTRAINT "prompt_refusal_request_has_code" CHECK ("state" <> 'REQUESTED' OR "code" IS NOT NULL)
);
CREATE INDEX "prompt_refusal_requested_from_requested_at_idx" ON "prompt_refusal"("requested_from", "requested_at");
-- A number has at most one open refusal. It is read before every prompt.
CREATE UNIQUE INDEX "prompt_refusal_one_open_per_number" ON "prompt_refusal"("environment", "mobile") WHERE "state" <> 'LIFTED';


-- The ledger
-- ----------

CREATE TYPE "payment_kind" AS ENUM ('payment', 'reversal', 'correction');
CREATE TYPE "reversal_state" AS ENUM ('QUEUED', 'SENDING', 'UNKNOWN', 'SUCCEEDED', 'FAILED');
CREATE TYPE "review_kind" AS ENUM ('attempt_unresolved', 'reversal_unresolved', 'contradiction', 'receipt_conflict', 'statement_differs', 'reversal_assumed');

-- A reversal is an entry with a positive amount that names its payment. A correction adds to the amount of an entry, or takes
-- from it: only its amount may be negative.
CREATE TABLE "payment" (
    "id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "merchant_id" UUID,
    "provider_account_id" UUID NOT NULL,
    "provider_transaction_id" TEXT NOT NULL,
    "kind" "payment_kind" NOT NULL,
    "attempt_id" UUID,
    "amount" BIGINT NOT NULL,
    "mobile" TEXT,
    "late" BOOLEAN NOT NULL DEFAULT false,
    "recorded_at" TIMESTAMPTZ(3) NOT NULL,
    "amount_differs" BOOLEAN NOT NULL DEFAULT false,
    "reverses_id" UUID,
    "till_id" UUID NOT NULL,

    CONSTRAINT "payment_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "payment_attempt_id_fkey" FOREIGN KEY ("attempt_id") REFERENCES "push_attempt"("id") ON DELETE SET NULL ON UPDATE CASCADE,
    CONSTRAINT "payment_provider_account_id_fkey" FOREIGN KEY ("provider_account_id")
        REFERENCES "provider_account"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "payment_reverses_id_fkey" FOREIGN KEY ("reverses_id") REFERENCES "payment"("id") ON DELETE SET NULL ON UPDATE CASCADE,
    CONSTRAINT "payment_till_id_fkey" FOREIGN KEY ("till_id") REFERENCES "provider_account"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "payment_amount_positive" CHECK ("amount" > 0 OR "kind" = 'correction' AND "amount" <> 0),
    CONSTRAINT "payment_reversal_names_payment" CHECK (("kind" = 'reversal') = ("reverses_id" IS NOT NULL))
);
CREATE INDEX "payment_attempt_id_idx" ON "payment"("attempt_id");
CREATE INDEX "payment_provider_account_id_recorded_at_idx" ON "payment"("provider_account_id", "recorded_at");
CREATE INDEX "payment_reverses_id_idx" ON "payment"("reverses_id");
CREATE UNIQUE INDEX "payment_till_id_provider_transaction_id_kind_key" ON "payment"("till_id", "provider_transaction_id", "kind");

CREATE FUNCTION "copy_till"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT "till_id" INTO NEW."till_id" FROM "provider_account" WHERE "id" = NEW."provider_account_id";
  RETURN NEW;
END $$;
CREATE TRIGGER "payment_till" BEFORE INSERT ON "payment" FOR EACH ROW EXECUTE FUNCTION "copy_till"();

CREATE TABLE "payment_allocation" (
    "id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "payment_id" UUID NOT NULL,
    "bill_id" UUID NOT NULL,
    "amount" BIGINT NOT NULL,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payment_allocation_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "payment_allocation_bill_id_fkey" FOREIGN KEY ("bill_id") REFERENCES "bill"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "payment_allocation_payment_id_fkey" FOREIGN KEY ("payment_id")
        REFERENCES "payment"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "payment_allocation_amount_not_zero" CHECK ("amount" <> 0)
);
CREATE INDEX "payment_allocation_bill_id_idx" ON "payment_allocation"("bill_id");
CREATE INDEX "payment_allocation_payment_id_idx" ON "payment_allocation"("payment_id");
-- A merchant's money by time, for today's sums; an allocation never changes. Paid bills are found by their allocations, because
-- updates of bills stay cheap (HOT) only as long as few of their columns are indexed.
CREATE INDEX "payment_allocation_booked" ON "payment_allocation"("merchant_id", "environment", "created_at", "amount");

CREATE TABLE "refund_mark" (
    "payment_id" UUID NOT NULL,
    "reason" TEXT NOT NULL,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "refund_mark_pkey" PRIMARY KEY ("payment_id"),
    CONSTRAINT "refund_mark_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "payment"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE TABLE "reversal_request" (
    "id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "payment_id" UUID NOT NULL,
    "amount" BIGINT NOT NULL,
    "whole" BOOLEAN NOT NULL,
    "our_reference" TEXT NOT NULL,
    "state" "reversal_state" NOT NULL DEFAULT 'QUEUED',
    "failure_reason" TEXT,
    "reason" TEXT NOT NULL,
    "requested_by" TEXT NOT NULL,
    "send_count" INTEGER NOT NULL DEFAULT 0,
    "query_count" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3),
    "lease_until" TIMESTAMPTZ(3),
    "lease_token" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "sent_at" TIMESTAMPTZ(3),
    "settled_at" TIMESTAMPTZ(3),

    CONSTRAINT "reversal_request_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "reversal_request_payment_id_fkey" FOREIGN KEY ("payment_id")
        REFERENCES "payment"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "reversal_request_amount_positive" CHECK ("amount" > 0),
    CONSTRAINT "reversal_request_our_reference_form" CHECK ("our_reference" ~ '^[A-Z0-9]{20}$'),
    CONSTRAINT "reversal_request_failure_has_reason" CHECK (("state" = 'FAILED') = ("failure_reason" IS NOT NULL))
);
CREATE UNIQUE INDEX "reversal_request_our_reference_key" ON "reversal_request"("our_reference");
CREATE INDEX "reversal_request_payment_id_idx" ON "reversal_request"("payment_id");
CREATE INDEX "reversal_request_due" ON "reversal_request"("due_at") WHERE "due_at" IS NOT NULL;
CREATE UNIQUE INDEX "reversal_request_one_open_per_payment" ON "reversal_request"("payment_id")
    WHERE "state" IN ('QUEUED', 'SENDING', 'UNKNOWN');

CREATE TABLE "reversal_receipt" (
    "payment_id" UUID NOT NULL,
    "provider_transaction_id" TEXT NOT NULL,
    "recorded_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "reversal_receipt_pkey" PRIMARY KEY ("payment_id"),
    CONSTRAINT "reversal_receipt_payment_id_fkey" FOREIGN KEY ("payment_id")
        REFERENCES "payment"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "reversal_receipt_provider_transaction_id_idx" ON "reversal_receipt"("provider_transaction_id");

CREATE TABLE "review" (
    "id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "merchant_id" UUID,
    "kind" "review_kind" NOT NULL,
    "attempt_id" UUID,
    "payment_id" UUID,
    "reversal_request_id" UUID,
    "data" JSONB NOT NULL,
    "opened_at" TIMESTAMPTZ(3) NOT NULL,
    "resolved_at" TIMESTAMPTZ(3),
    "resolved_by" TEXT,
    "resolution" TEXT,

    CONSTRAINT "review_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "review_attempt_id_fkey" FOREIGN KEY ("attempt_id") REFERENCES "push_attempt"("id") ON DELETE SET NULL ON UPDATE CASCADE,
    CONSTRAINT "review_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "payment"("id") ON DELETE SET NULL ON UPDATE CASCADE,
    CONSTRAINT "review_reversal_request_id_fkey" FOREIGN KEY ("reversal_request_id")
        REFERENCES "reversal_request"("id") ON DELETE SET NULL ON UPDATE CASCADE,
    CONSTRAINT "review_has_subject" CHECK (num_nonnulls("attempt_id", "payment_id", "reversal_request_id") > 0),
    CONSTRAINT "review_resolved_by_somebody"
        CHECK (("resolved_at" IS NULL) = ("resolved_by" IS NULL) AND ("resolved_at" IS NULL) = ("resolution" IS NULL))
);
CREATE INDEX "review_attempt_id_idx" ON "review"("attempt_id");
CREATE UNIQUE INDEX "review_one_open_per_subject" ON "review"("kind", coalesce("attempt_id", "reversal_request_id", "payment_id"))
    WHERE "resolved_at" IS NULL;
CREATE INDEX "review_open" ON "review"("merchant_id", "environment", "opened_at") WHERE "resolved_at" IS NULL;
CREATE INDEX "review_of_statement" ON "review"("payment_id") WHERE "kind" = 'statement_differs';

CREATE TABLE "payment_correction" (
    "id" UUID NOT NULL,
    "payment_id" UUID NOT NULL,
    "corrects_id" UUID NOT NULL,
    "reason" TEXT NOT NULL,
    "created_by" TEXT NOT NULL,
    "review_id" UUID,

    CONSTRAINT "payment_correction_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "payment_correction_corrects_id_fkey" FOREIGN KEY ("corrects_id")
        REFERENCES "payment"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "payment_correction_id_fkey" FOREIGN KEY ("id") REFERENCES "payment"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "payment_correction_payment_id_fkey" FOREIGN KEY ("payment_id")
        REFERENCES "payment"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "payment_correction_review_id_fkey" FOREIGN KEY ("review_id")
        REFERENCES "review"("id") ON DELETE SET NULL ON UPDATE CASCADE
);
CREATE INDEX "payment_correction_payment_id_idx" ON "payment_correction"("payment_id");


-- Guards of the ledger
-- --------------------

-- Rows of the ledger are never changed or deleted. TRUNCATE does not run triggers for each row, so it has its own.
CREATE FUNCTION "forbid_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'rows of % are never changed or deleted', TG_TABLE_NAME;
END $$;
CREATE TRIGGER "payment_append_only" BEFORE UPDATE OR DELETE ON "payment" FOR EACH ROW EXECUTE FUNCTION "forbid_change"();
CREATE TRIGGER "payment_not_truncated" BEFORE TRUNCATE ON "payment" FOR EACH STATEMENT EXECUTE FUNCTION "forbid_change"();
CREATE TRIGGER "payment_allocation_append_only" BEFORE UPDATE OR DELETE ON "payment_allocation" FOR EACH ROW EXECUTE FUNCTION "forbid_change"();
CREATE TRIGGER "payment_allocation_not_truncated" BEFORE TRUNCATE ON "payment_allocation" FOR EACH STATEMENT EXECUTE FUNCTION "forbid_change"();
CREATE TRIGGER "refund_mark_append_only" BEFORE UPDATE OR DELETE ON "refund_mark" FOR EACH ROW EXECUTE FUNCTION "forbid_change"();
CREATE TRIGGER "refund_mark_not_truncated" BEFORE TRUNCATE ON "refund_mark" FOR EACH STATEMENT EXECUTE FUNCTION "forbid_change"();
CREATE TRIGGER "reversal_receipt_append_only" BEFORE UPDATE OR DELETE ON "reversal_receipt" FOR EACH ROW EXECUTE FUNCTION "forbid_change"();
CREATE TRIGGER "reversal_receipt_not_truncated" BEFORE TRUNCATE ON "reversal_receipt" FOR EACH STATEMENT EXECUTE FUNCTION "forbid_change"();
CREATE TRIGGER "payment_correction_append_only" BEFORE UPDATE OR DELETE ON "payment_correction" FOR EACH ROW EXECUTE FUNCTION "forbid_change"();
CREATE TRIGGER "payment_correction_not_truncated" BEFORE TRUNCATE ON "payment_correction" FOR EACH STATEMENT EXECUTE FUNCTION "forbid_change"();

-- At every commit, a bill's paid amount is the sum of its allocations.
CREATE FUNCTION "check_bill_paid_amount"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  checked uuid;
BEGIN
  IF TG_TABLE_NAME = 'bill' THEN checked := NEW."id"; ELSE checked := NEW."bill_id"; END IF;
  IF (SELECT "paid_amount" FROM "bill" WHERE "id" = checked)
     <> (SELECT coalesce(sum("amount"), 0) FROM "payment_allocation" WHERE "bill_id" = checked) THEN
    RAISE EXCEPTION 'paid amount of bill % is not the sum of its allocations', checked;
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER "bill_paid_amount_is_allocated" AFTER UPDATE OF "paid_amount" ON "bill"
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW."paid_amount" <> OLD."paid_amount") EXECUTE FUNCTION "check_bill_paid_amount"();
CREATE CONSTRAINT TRIGGER "bill_starts_unpaid" AFTER INSERT ON "bill"
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW."paid_amount" <> 0) EXECUTE FUNCTION "check_bill_paid_amount"();
CREATE CONSTRAINT TRIGGER "allocation_counts_on_bill" AFTER INSERT ON "payment_allocation"
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "check_bill_paid_amount"();

-- At every commit, a payment less its allocations and reversals is not negative, and a reversal takes from bills at most its own
-- amount. Corrected amounts count. The function locks the payment first: of two transactions that allocate the same payment, the
-- second is checked after the first has committed. It finds every row by an index, because it runs at each booking.
CREATE FUNCTION "check_payment_balance"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  checked uuid;
  original uuid;
  received numeric;
  allocated numeric;
  smallest bigint;
  reversed numeric;
  taken numeric;
  largest bigint;
  overtaken boolean;
  added numeric;
  unreversed numeric;
  moved numeric;
  misplaced boolean;
BEGIN
  IF TG_TABLE_NAME = 'payment' THEN checked := NEW."id"; ELSE checked := NEW."payment_id"; END IF;
  SELECT coalesce(p."reverses_id", (SELECT c."payment_id" FROM "payment_correction" c WHERE c."id" = p."id"), p."id")
  INTO original FROM "payment" p WHERE p."id" = checked;
  PERFORM 1 FROM "payment" WHERE "id" = original FOR NO KEY UPDATE;
  SELECT "amount" INTO received FROM "payment" WHERE "id" = original AND "kind" = 'payment';
  IF received IS NULL THEN RAISE EXCEPTION 'reversal % does not reverse a payment', checked; END IF;

  SELECT coalesce(sum("amount"), 0), min("amount") INTO allocated, smallest FROM "payment_allocation" WHERE "payment_id" = original;
  -- What each reversal took from bills is negative.
  SELECT coalesce(sum(r."amount"), 0), coalesce(sum(t."total"), 0), max(t."largest"), bool_or(-t."total" > r."amount")
  INTO reversed, taken, largest, overtaken
  FROM "payment" r
  CROSS JOIN LATERAL (SELECT coalesce(sum("amount"), 0) AS "total", max("amount") AS "largest"
                      FROM "payment_allocation" WHERE "payment_id" = r."id") t
  WHERE r."reverses_id" = original;
  -- A correction of a reversal moves money the other way.
  SELECT coalesce(sum(k."amount") FILTER (WHERE c."corrects_id" = original), 0), coalesce(-sum(k."amount") FILTER (WHERE c."corrects_id" <> original), 0),
    coalesce(sum(t."total"), 0),
    bool_or(CASE WHEN (k."amount" > 0) = (c."corrects_id" = original) THEN t."smallest" <= 0 OR t."total" > abs(k."amount")
            ELSE t."largest" >= 0 OR t."total" < -abs(k."amount") END)
  INTO added, unreversed, moved, misplaced
  FROM "payment_correction" c JOIN "payment" k ON k."id" = c."id"
  CROSS JOIN LATERAL (SELECT sum("amount") AS "total", min("amount") AS "smallest", max("amount") AS "largest"
                      FROM "payment_allocation" WHERE "payment_id" = c."id") t
  WHERE c."payment_id" = original;
  received := received + added;
  reversed := reversed - unreversed;

  IF received < reversed THEN RAISE EXCEPTION 'more of payment % is reversed than was received', original; END IF;
  IF received < allocated + reversed + taken + moved THEN RAISE EXCEPTION 'more of payment % is allocated than there is', original; END IF;
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
CREATE CONSTRAINT TRIGGER "allocation_fits_payment" AFTER INSERT ON "payment_allocation"
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "check_payment_balance"();
CREATE CONSTRAINT TRIGGER "reversal_fits_payment" AFTER INSERT ON "payment"
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW."kind" = 'reversal') EXECUTE FUNCTION "check_payment_balance"();
CREATE CONSTRAINT TRIGGER "correction_fits_payment" AFTER INSERT ON "payment_correction"
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "check_payment_balance"();

-- A correction belongs to a payment, and corrects that payment or one of its reversals.
CREATE FUNCTION "check_correction"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT 1 FROM "payment_correction" c JOIN "payment" k ON k."id" = c."id" JOIN "payment" p ON p."id" = c."payment_id" JOIN "payment" e ON e."id" = c."corrects_id"
    WHERE c."id" = NEW."id" AND k."kind" = 'correction' AND p."kind" = 'payment' AND (e."id" = p."id" OR e."reverses_id" = p."id")
      AND (k."till_id", k."environment") = (p."till_id", p."environment") AND k."merchant_id" IS NOT DISTINCT FROM p."merchant_id") THEN
    RAISE EXCEPTION 'correction % does not correct a payment or its reversal', NEW."id";
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER "correction_has_entry" AFTER INSERT ON "payment"
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW."kind" = 'correction') EXECUTE FUNCTION "check_correction"();
CREATE CONSTRAINT TRIGGER "correction_of_entry" AFTER INSERT ON "payment_correction"
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "check_correction"();

-- What reversals took from a bill is kept in the bill's row, because the API reads it with every bill.
CREATE FUNCTION "count_reversed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE bill SET reversed_amount = reversed_amount - NEW.amount
  WHERE id = NEW.bill_id AND EXISTS (SELECT 1 FROM payment WHERE id = NEW.payment_id AND kind = 'reversal');
  RETURN NULL;
END
$$;
CREATE TRIGGER "allocation_takes_back" AFTER INSERT ON "payment_allocation" FOR EACH ROW
    WHEN (NEW.amount < 0) EXECUTE FUNCTION "count_reversed"();


-- Messages of providers
-- ---------------------

CREATE TYPE "message_kind" AS ENUM ('answer', 'status', 'callback', 'reversal', 'reversal_status');
CREATE TYPE "lost_answer" AS ENUM ('not_sent', 'unknown');

CREATE TABLE "provider_message" (
    "id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "provider_account_id" UUID NOT NULL,
    "attempt_id" UUID,
    "kind" "message_kind" NOT NULL,
    "http_status" INTEGER,
    "headers" JSONB NOT NULL,
    "body" BYTEA NOT NULL,
    "error" TEXT,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "lost" "lost_answer",
    "reversal_request_id" UUID,
    "lease_token" INTEGER,
    "handled_at" TIMESTAMPTZ(3),
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "apply_count" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "provider_message_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "provider_message_attempt_id_fkey" FOREIGN KEY ("attempt_id")
        REFERENCES "push_attempt"("id") ON DELETE SET NULL ON UPDATE CASCADE,
    CONSTRAINT "provider_message_provider_account_id_fkey" FOREIGN KEY ("provider_account_id")
        REFERENCES "provider_account"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "provider_message_reversal_request_id_fkey" FOREIGN KEY ("reversal_request_id")
        REFERENCES "reversal_request"("id") ON DELETE SET NULL ON UPDATE CASCADE
);
CREATE INDEX "provider_message_attempt_id_idx" ON "provider_message"("attempt_id");
CREATE INDEX "provider_message_provider_account_id_received_at_idx" ON "provider_message"("provider_account_id", "received_at");
CREATE INDEX "provider_message_unhandled" ON "provider_message"("due_at") WHERE "handled_at" IS NULL;


-- Statements of providers
-- -----------------------

CREATE TYPE "reconciliation_finding" AS ENUM ('matched', 'amount_differs', 'ours_only', 'theirs_only', 'outside_period');
CREATE TYPE "reconciliation_action" AS ENUM ('none', 'kept_unmatched', 'settled_attempt', 'booked_reversal', 'opened_review', 'added_to_review');

CREATE TABLE "reconciliation" (
    "id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "provider_account_id" UUID NOT NULL,
    "period_from" TIMESTAMPTZ(3) NOT NULL,
    "period_to" TIMESTAMPTZ(3) NOT NULL,
    "file_name" TEXT NOT NULL,
    "file_hash" BYTEA NOT NULL,
    "requested_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "completed_at" TIMESTAMPTZ(3),

    CONSTRAINT "reconciliation_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "reconciliation_provider_account_id_fkey" FOREIGN KEY ("provider_account_id")
        REFERENCES "provider_account"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "reconciliation_provider_account_id_period_from_period_to_fi_key" ON "reconciliation"("provider_account_id", "period_from", "period_to", "file_hash");

CREATE TABLE "reconciliation_line" (
    "reconciliation_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "finding" "reconciliation_finding" NOT NULL,
    "action" "reconciliation_action" NOT NULL,
    "kind" "payment_kind" NOT NULL,
    "transaction_id" TEXT NOT NULL,
    "statement_amount" BIGINT,
    "ledger_amount" BIGINT,
    "our_reference" TEXT,
    "happened_at" TIMESTAMPTZ(3) NOT NULL,
    "payment_id" UUID,
    "raw" JSONB,
    "reversed_transaction_id" TEXT,

    CONSTRAINT "reconciliation_line_pkey" PRIMARY KEY ("reconciliation_id", "number"),
    CONSTRAINT "reconciliation_line_payment_id_fkey" FOREIGN KEY ("payment_id")
        REFERENCES "payment"("id") ON DELETE SET NULL ON UPDATE CASCADE,
    CONSTRAINT "reconciliation_line_reconciliation_id_fkey" FOREIGN KEY ("reconciliation_id")
        REFERENCES "reconciliation"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "reconciliation_line_payment_id_idx" ON "reconciliation_line"("payment_id");
CREATE INDEX "reconciliation_line_transaction_id_idx" ON "reconciliation_line"("transaction_id");
-- Reversals of payments that the ledger does not have yet: each waits for its payment.
CREATE INDEX "reconciliation_line_waiting" ON "reconciliation_line"("reversed_transaction_id")
    WHERE "reversed_transaction_id" IS NOT NULL AND "payment_id" IS NULL;


-- The simulated provider of the sandbox
-- -------------------------------------

CREATE TABLE "sandbox_prompt" (
    "reference" TEXT NOT NULL,
    "mobile" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "callback_url" TEXT NOT NULL,
    "receipt" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sandbox_prompt_pkey" PRIMARY KEY ("reference")
);

CREATE TABLE "sandbox_step" (
    "reference" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "status" TEXT NOT NULL,
    "announced" BOOLEAN NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "lease_until" TIMESTAMPTZ(3),
    "done_at" TIMESTAMPTZ(3),
    "tries" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "sandbox_step_pkey" PRIMARY KEY ("reference", "number"),
    CONSTRAINT "sandbox_step_reference_fkey" FOREIGN KEY ("reference")
        REFERENCES "sandbox_prompt"("reference") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "sandbox_step_due" ON "sandbox_step"("due_at") WHERE "done_at" IS NULL;

-- Its account belongs to the operator and serves every network. It runs inside the worker, so it gets more calls at once than an
-- account at a network.
INSERT INTO "provider_account" ("id", "environment", "provider", "label", "networks", "call_limit", "created_at")
VALUES ('00000000-0000-7000-8000-5a0db0c00001', 'sandbox', 'sandbox', 'Sandbox', '{vodacom,airtel,yas,halotel,ttcl,other}', 100, now());


-- Webhooks and the event feed
-- ---------------------------

CREATE TYPE "endpoint_status" AS ENUM ('active', 'paused', 'disabled');
CREATE TYPE "delivery_state" AS ENUM ('BLOCKED', 'PENDING', 'DELIVERED', 'EXHAUSTED', 'SENDING', 'UNSENT');
CREATE TYPE "delivery_trigger" AS ENUM ('automatic', 'manual', 'bulk', 'test', 'check');
CREATE TYPE "redelivery_state" AS ENUM ('RUNNING', 'COMPLETED', 'CANCELLED');

CREATE TABLE "webhook_endpoint" (
    "id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "url" TEXT,
    "encrypted_secret" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "encrypted_previous_secret" BYTEA,
    "previous_secret_until" TIMESTAMPTZ(3),
    "status" "endpoint_status" NOT NULL DEFAULT 'active',
    "disabled_reason" TEXT,
    "status_since" TIMESTAMPTZ(3) NOT NULL,
    "parallelism" INTEGER NOT NULL DEFAULT 4,
    "failure_count" INTEGER NOT NULL DEFAULT 0,
    "failing_since" TIMESTAMPTZ(3),
    "last_success_at" TIMESTAMPTZ(3),
    "last_failure_at" TIMESTAMPTZ(3),
    "slowed_at" TIMESTAMPTZ(3),
    "rest_until" TIMESTAMPTZ(3),
    "breaker_step" INTEGER NOT NULL DEFAULT 0,
    "warnings_given" INTEGER NOT NULL DEFAULT 0,
    "catch_up_from" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_endpoint_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "webhook_endpoint_merchant_id_environment_fkey" FOREIGN KEY ("merchant_id", "environment")
        REFERENCES "merchant_profile"("merchant_id", "environment") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "webhook_endpoint_status" CHECK (("status" = 'disabled') = ("disabled_reason" IS NOT NULL)),
    CONSTRAINT "webhook_endpoint_previous_secret" CHECK (("encrypted_previous_secret" IS NULL) = ("previous_secret_until" IS NULL)),
    CONSTRAINT "webhook_endpoint_failing" CHECK (("failure_count" > 0) = ("failing_since" IS NOT NULL)),
    CONSTRAINT "webhook_endpoint_breaker"
        CHECK ("parallelism" >= 1 AND "breaker_step" >= 0 AND ("breaker_step" = 0 OR "rest_until" IS NOT NULL))
);
CREATE UNIQUE INDEX "webhook_endpoint_merchant_id_environment_key" ON "webhook_endpoint"("merchant_id", "environment");
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
    CONSTRAINT "webhook_redelivery_state"
        CHECK (("state" = 'RUNNING') = ("due_at" IS NOT NULL) AND ("state" = 'RUNNING') = ("completed_at" IS NULL)),
    CONSTRAINT "webhook_redelivery_pace" CHECK ("per_second" > 0 AND "period_from" < "period_to")
);
CREATE INDEX "webhook_redelivery_merchant_id_environment_id_idx" ON "webhook_redelivery"("merchant_id", "environment", "id");
CREATE INDEX "webhook_redelivery_due" ON "webhook_redelivery"("due_at") WHERE "state" = 'RUNNING';

CREATE TABLE "webhook_delivery" (
    "id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "endpoint_id" UUID NOT NULL,
    "bill_id" UUID NOT NULL,
    "event_number" INTEGER NOT NULL,
    "bill_status" "bill_status" NOT NULL,
    "body" BYTEA NOT NULL,
    "state" "delivery_state" NOT NULL,
    "attempt_count" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3),
    "lease_until" TIMESTAMPTZ(3),
    "lease_token" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "settled_at" TIMESTAMPTZ(3),
    "ordered" BOOLEAN NOT NULL DEFAULT true,
    "priority" SMALLINT NOT NULL DEFAULT 0,
    "trigger" "delivery_trigger" NOT NULL DEFAULT 'automatic',
    "triggered_by" TEXT,
    "redelivery_id" UUID,
    "failure_count" INTEGER NOT NULL DEFAULT 0,
    "last_attempt_at" TIMESTAMPTZ(3),
    "delivered_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_delivery_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "webhook_delivery_bill_id_fkey" FOREIGN KEY ("bill_id") REFERENCES "bill"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "webhook_delivery_endpoint_id_fkey" FOREIGN KEY ("endpoint_id")
        REFERENCES "webhook_endpoint"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "webhook_delivery_redelivery_id_fkey" FOREIGN KEY ("redelivery_id")
        REFERENCES "webhook_redelivery"("id") ON DELETE SET NULL ON UPDATE CASCADE,
    CONSTRAINT "webhook_delivery_due_at" CHECK (("state" IN ('PENDING', 'SENDING')) = ("due_at" IS NOT NULL)),
    CONSTRAINT "webhook_delivery_lease" CHECK (("state" = 'SENDING') = ("lease_until" IS NOT NULL)),
    CONSTRAINT "webhook_delivery_delivered" CHECK ("state" <> 'DELIVERED' OR "delivered_at" IS NOT NULL)
);
CREATE UNIQUE INDEX "webhook_delivery_bill_id_event_number_endpoint_id_key" ON "webhook_delivery"("bill_id", "event_number", "endpoint_id");
CREATE INDEX "webhook_delivery_merchant_id_environment_id_idx" ON "webhook_delivery"("merchant_id", "environment", "id");

-- The workers' queues. The webhooks of a bill are sent one after the other, unless one is sent again by hand.
CREATE INDEX "webhook_delivery_due" ON "webhook_delivery"("endpoint_id", "priority", "due_at", "id") WHERE "state" = 'PENDING';
CREATE INDEX "webhook_delivery_in_flight" ON "webhook_delivery"("endpoint_id", "lease_until") WHERE "state" = 'SENDING';
CREATE UNIQUE INDEX "webhook_delivery_one_open_per_bill" ON "webhook_delivery"("endpoint_id", "bill_id")
    WHERE "state" IN ('PENDING', 'SENDING') AND "ordered";
CREATE INDEX "webhook_delivery_redelivery" ON "webhook_delivery"("redelivery_id", "state", "id") WHERE "redelivery_id" IS NOT NULL;

-- Deliveries that are kept without being sent: few, because a delivery that is sent at once never has these states.
CREATE INDEX "webhook_delivery_kept" ON "webhook_delivery"("merchant_id", "environment", "id") INCLUDE ("state")
    WHERE "state" IN ('BLOCKED', 'EXHAUSTED', 'UNSENT');
CREATE INDEX "webhook_delivery_exhausted" ON "webhook_delivery"("merchant_id", "environment", "id") WHERE "state" = 'EXHAUSTED';

-- The filters of the dashboard's list. They select few deliveries: an ordinary delivery has no entry.
CREATE INDEX "webhook_delivery_failed" ON "webhook_delivery"("merchant_id", "environment", "id") WHERE "delivered_at" IS NULL AND "failure_count" > 0;
CREATE INDEX "webhook_delivery_again" ON "webhook_delivery"("merchant_id", "environment", "trigger", "id") WHERE "trigger" IN ('manual', 'bulk');
CREATE INDEX "webhook_delivery_owing" ON "webhook_delivery"("merchant_id", "environment", "bill_status", "id")
    WHERE "bill_status" IN ('NOT_PAID', 'PARTIALLY_PAID');

-- Partitioned by time, so that old attempts are deleted by dropping a partition. Therefore it has no foreign keys.
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
    "request_headers" JSONB NOT NULL DEFAULT '{}',
    "request_body" BYTEA,

    CONSTRAINT "webhook_attempt_pkey" PRIMARY KEY ("id", "started_at")
) PARTITION BY RANGE ("started_at");
CREATE INDEX "webhook_attempt_delivery_id_started_at_idx" ON "webhook_attempt"("delivery_id", "started_at");
-- Tests and checks are few among millions of attempts.
CREATE INDEX "webhook_attempt_alone" ON "webhook_attempt"("merchant_id", "environment", "started_at", "id") WHERE "delivery_id" IS NULL;
-- Holds rows that have no other partition. The worker creates the partitions of the next weeks and moves the rows into them.
CREATE TABLE "webhook_attempt_default" PARTITION OF "webhook_attempt" DEFAULT;

CREATE TABLE "event_feed_entry" (
    "delivery_id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "number" BIGINT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "event_number" INTEGER NOT NULL,

    CONSTRAINT "event_feed_entry_pkey" PRIMARY KEY ("delivery_id"),
    CONSTRAINT "event_feed_entry_delivery_id_fkey" FOREIGN KEY ("delivery_id")
        REFERENCES "webhook_delivery"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "event_feed_entry_merchant_id_environment_number_key" ON "event_feed_entry"("merchant_id", "environment", "number");
-- The order in which entries get their numbers. Both columns keep the events of a bill in their order.
CREATE INDEX "event_feed_entry_unnumbered" ON "event_feed_entry"("merchant_id", "environment", "created_at", "event_number", "delivery_id")
    WHERE "number" IS NULL;


-- The overview, from sums of finished days
-- ----------------------------------------

CREATE TABLE "rollup" (
    "merchant_id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "covered_to" DATE,
    "due_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "rollup_pkey" PRIMARY KEY ("merchant_id", "environment"),
    CONSTRAINT "rollup_merchant_id_environment_fkey" FOREIGN KEY ("merchant_id", "environment")
        REFERENCES "merchant_profile"("merchant_id", "environment") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "rollup_due_at_idx" ON "rollup"("due_at");

CREATE TABLE "payment_day" (
    "merchant_id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "day" DATE NOT NULL,
    "collected" BIGINT NOT NULL,
    "reversed" BIGINT NOT NULL,
    "payments" INTEGER NOT NULL,
    "bills_created" INTEGER NOT NULL,
    "bills_paid" INTEGER NOT NULL,
    "paid_after_ms" BIGINT NOT NULL,

    CONSTRAINT "payment_day_pkey" PRIMARY KEY ("merchant_id", "environment", "day"),
    CONSTRAINT "payment_day_merchant_id_environment_fkey" FOREIGN KEY ("merchant_id", "environment")
        REFERENCES "merchant_profile"("merchant_id", "environment") ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE TABLE "attempt_day" (
    "merchant_id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "day" DATE NOT NULL,
    "network" TEXT NOT NULL,
    "state" "attempt_state" NOT NULL,
    "reason" TEXT NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "attempt_day_pkey" PRIMARY KEY ("merchant_id", "environment", "day", "network", "state", "reason"),
    CONSTRAINT "attempt_day_merchant_id_environment_fkey" FOREIGN KEY ("merchant_id", "environment")
        REFERENCES "merchant_profile"("merchant_id", "environment") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- A finished day is counted again after late money or a reversal. Rows are only added, so that no transaction waits for another.
CREATE TABLE "stale_day" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "merchant_id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "day" DATE NOT NULL,

    CONSTRAINT "stale_day_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "stale_day_merchant_id_environment_day_idx" ON "stale_day"("merchant_id", "environment", "day");

-- The argument is the column that says in which day the row was counted.
CREATE FUNCTION "note_stale_day"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO stale_day (merchant_id, environment, day)
  VALUES (OLD.merchant_id, OLD.environment, ((to_jsonb(OLD) ->> TG_ARGV[0])::timestamptz AT TIME ZONE 'UTC' + interval '3 hours')::date);
  RETURN NULL;
END
$$;
CREATE TRIGGER "push_attempt_settled_anew" AFTER UPDATE OF "settled_at" ON "push_attempt" FOR EACH ROW
    WHEN (OLD.settled_at IS NOT NULL AND (OLD.settled_at, OLD.state) IS DISTINCT FROM (NEW.settled_at, NEW.state))
    EXECUTE FUNCTION "note_stale_day"('settled_at');
-- The overview counts paid bills by `paid_at`, which stays after a reversal. So the status tells when to count again.
CREATE TRIGGER "bill_paid_no_more" AFTER UPDATE OF "status" ON "bill" FOR EACH ROW
    WHEN (OLD.paid_at IS NOT NULL AND NEW.status IS DISTINCT FROM OLD.status)
    EXECUTE FUNCTION "note_stale_day"('paid_at');


-- Mails and notices
-- -----------------

CREATE TYPE "mail_state" AS ENUM ('QUEUED', 'SENT', 'FAILED');

-- A mail that was sent or has failed keeps no text, because the text may contain a secret link.
CREATE TABLE "mail" (
    "id" UUID NOT NULL,
    "recipient" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "encrypted_text" BYTEA,
    "kind" TEXT NOT NULL,
    "merchant_id" UUID,
    "state" "mail_state" NOT NULL DEFAULT 'QUEUED',
    "tries" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3),
    "lease_until" TIMESTAMPTZ(3),
    "lease_token" INTEGER NOT NULL DEFAULT 0,
    "last_error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "settled_at" TIMESTAMPTZ(3),

    CONSTRAINT "mail_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "mail_text_until_settled" CHECK (("state" = 'QUEUED') = ("encrypted_text" IS NOT NULL)),
    CONSTRAINT "mail_due_until_settled" CHECK (("state" = 'QUEUED') = ("due_at" IS NOT NULL)),
    CONSTRAINT "mail_settled_some_time" CHECK (("state" = 'QUEUED') = ("settled_at" IS NULL)),
    CONSTRAINT "mail_failure_has_reason" CHECK ("state" <> 'FAILED' OR "last_error" IS NOT NULL)
);
CREATE INDEX "mail_due" ON "mail"("due_at", "id") WHERE "state" = 'QUEUED';
CREATE INDEX "mail_settled" ON "mail"("settled_at") WHERE "settled_at" IS NOT NULL;

CREATE TABLE "notice_round" (
    "merchant_id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "topic" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "told_at" TIMESTAMPTZ(3),
    "told" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],

    CONSTRAINT "notice_round_pkey" PRIMARY KEY ("merchant_id", "environment", "topic"),
    CONSTRAINT "notice_round_merchant_id_environment_fkey" FOREIGN KEY ("merchant_id", "environment")
        REFERENCES "merchant_profile"("merchant_id", "environment") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "notice_round_due_at_idx" ON "notice_round"("due_at");

CREATE TABLE "operator_notice" (
    "id" UUID NOT NULL,
    "body" JSONB NOT NULL,
    "due_at" TIMESTAMPTZ(3),
    "tries" INTEGER NOT NULL DEFAULT 0,
    "last_error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "operator_notice_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "operator_notice_due_at_idx" ON "operator_notice"("due_at");


-- The audit log
-- -------------

-- The worker seals entries after the commit: it gives each a number and a hash in the chain of its merchant or of the operator.
CREATE TABLE "audit_entry" (
    "id" UUID NOT NULL,
    "merchant_id" UUID,
    "environment" "environment",
    "actor" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "address" TEXT,
    "data" JSONB NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "chain_number" BIGINT,
    "chain_hash" BYTEA,

    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "audit_entry_sealed_whole" CHECK (("chain_number" IS NULL) = ("chain_hash" IS NULL))
);
CREATE INDEX "audit_entry_merchant_id_id_idx" ON "audit_entry"("merchant_id", "id");
CREATE UNIQUE INDEX "audit_entry_chain" ON "audit_entry"("merchant_id", "chain_number") WHERE "merchant_id" IS NOT NULL;
CREATE UNIQUE INDEX "audit_entry_operator_chain" ON "audit_entry"("chain_number") WHERE "merchant_id" IS NULL;
-- Entries to seal. A sealed entry leaves it.
CREATE INDEX "audit_entry_unsealed" ON "audit_entry"("merchant_id", "id") WHERE "chain_number" IS NULL;
-- What a person did outside of any merchant, such as signing in.
CREATE INDEX "audit_entry_person" ON "audit_entry"("subject", "id") WHERE "merchant_id" IS NULL;

CREATE TABLE "audit_head" (
    "chain" TEXT NOT NULL,
    "number" BIGINT NOT NULL,
    "hash" BYTEA NOT NULL,
    "sealed_at" TIMESTAMPTZ(3) NOT NULL,
    "mac" BYTEA NOT NULL,

    CONSTRAINT "audit_head_pkey" PRIMARY KEY ("chain")
);

-- Guards against mistakes, not against the owner of the database, who can drop a trigger. The chain shows that.
CREATE FUNCTION "keep_audit_entry"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.chain_number IS NULL THEN
    IF TG_OP = 'DELETE' THEN
      RETURN OLD;
    END IF;
    IF (NEW.id, NEW.merchant_id, NEW.environment, NEW.actor, NEW.action, NEW.subject, NEW.address, NEW.data, NEW.at)
       IS NOT DISTINCT FROM (OLD.id, OLD.merchant_id, OLD.environment, OLD.actor, OLD.action, OLD.subject, OLD.address, OLD.data, OLD.at) THEN
      RETURN NEW;
    END IF;
    RAISE EXCEPTION 'an audit entry is never changed';
  END IF;
  RAISE EXCEPTION 'a sealed audit entry is never changed or deleted';
END $$;
CREATE TRIGGER "audit_entry_kept" BEFORE UPDATE OR DELETE ON "audit_entry" FOR EACH ROW EXECUTE FUNCTION "keep_audit_entry"();
CREATE TRIGGER "audit_entry_not_truncated" BEFORE TRUNCATE ON "audit_entry" FOR EACH STATEMENT EXECUTE FUNCTION "forbid_change"();


-- Processes that run
-- ------------------

CREATE TABLE "heartbeat" (
    "id" UUID NOT NULL,
    "role" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "pid" INTEGER NOT NULL,
    "clock_ahead_ms" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "heartbeat_pkey" PRIMARY KEY ("id")
);
