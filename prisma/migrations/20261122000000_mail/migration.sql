CREATE TYPE "mail_state" AS ENUM ('QUEUED', 'SENT', 'FAILED');

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

    CONSTRAINT "mail_pkey" PRIMARY KEY ("id")
);

-- A mail that is sent or given up keeps no text, and is due no more.
ALTER TABLE "mail"
  ADD CONSTRAINT "mail_text_until_settled" CHECK (("state" = 'QUEUED') = ("encrypted_text" IS NOT NULL)),
  ADD CONSTRAINT "mail_due_until_settled" CHECK (("state" = 'QUEUED') = ("due_at" IS NOT NULL)),
  ADD CONSTRAINT "mail_settled_some_time" CHECK (("state" = 'QUEUED') = ("settled_at" IS NULL)),
  ADD CONSTRAINT "mail_failure_has_reason" CHECK ("state" <> 'FAILED' OR "last_error" IS NOT NULL);

CREATE INDEX "mail_due" ON "mail"("due_at", "id") WHERE "state" = 'QUEUED';
CREATE INDEX "mail_settled" ON "mail"("settled_at") WHERE "settled_at" IS NOT NULL;
