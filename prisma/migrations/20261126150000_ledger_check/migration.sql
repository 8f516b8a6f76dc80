-- The progress and the results of the checks that workers share.
CREATE TABLE "ledger_check" (
    "kind" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "lease_until" TIMESTAMPTZ(3),
    "started_at" TIMESTAMPTZ(3),
    "next_table" TEXT,
    "next_id" TEXT,
    "found" JSONB NOT NULL DEFAULT '[]',
    "covered_to" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "broken" JSONB NOT NULL DEFAULT '[]',

    CONSTRAINT "ledger_check_pkey" PRIMARY KEY ("kind")
);

ALTER TABLE "ledger_check" ADD CONSTRAINT "ledger_check_kind" CHECK ("kind" IN ('complete', 'recent', 'audit', 'unmatched'));

INSERT INTO "ledger_check" ("kind", "due_at") VALUES ('complete', now()), ('recent', now()), ('audit', now()), ('unmatched', now());
