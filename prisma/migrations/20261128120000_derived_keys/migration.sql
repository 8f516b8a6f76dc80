-- The keys that were derived from the first master key. A process of this version stores them when it starts for the first time. Processes
-- of the version before derive the same keys.
CREATE TABLE "derived_key" (
    "purpose" TEXT NOT NULL,
    "encrypted_key" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "derived_key_pkey" PRIMARY KEY ("purpose")
);

-- Which master keys a process has. Processes of the version before do not say it.
ALTER TABLE "heartbeat" ADD COLUMN "key_ids" TEXT[];
