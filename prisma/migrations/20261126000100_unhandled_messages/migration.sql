ALTER TYPE "message_kind" ADD VALUE 'reversal_status';
CREATE TYPE "lost_answer" AS ENUM ('not_sent', 'unknown');

-- A default that is constant rewrites no row: messages from before count as handled, later ones do not.
ALTER TABLE "provider_message"
    ADD COLUMN "lost" "lost_answer",
    ADD COLUMN "reversal_request_id" UUID,
    ADD COLUMN "lease_token" INTEGER,
    ADD COLUMN "handled_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP,
    ADD COLUMN "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    ADD COLUMN "apply_count" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "provider_message" ALTER COLUMN "handled_at" DROP DEFAULT;

ALTER TABLE "provider_message" ADD CONSTRAINT "provider_message_reversal_request_id_fkey"
    FOREIGN KEY ("reversal_request_id") REFERENCES "reversal_request"("id") ON DELETE SET NULL ON UPDATE CASCADE NOT VALID;
