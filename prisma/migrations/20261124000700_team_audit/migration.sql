ALTER TABLE "merchant" ADD COLUMN "language" TEXT, ADD COLUMN "notify" JSONB NOT NULL DEFAULT '{}';
ALTER TABLE "merchant" ADD CONSTRAINT "merchant_language" CHECK ("language" IN ('sw', 'en'));

ALTER TABLE "invitation" ADD COLUMN "invited_by" TEXT NOT NULL DEFAULT 'operator:cli', ADD COLUMN "revoked_at" TIMESTAMPTZ(3);
ALTER TABLE "invitation" ALTER COLUMN "invited_by" DROP DEFAULT;
-- An address is invited once at a time, whoever asks at the same moment.
CREATE UNIQUE INDEX "invitation_one_open" ON "invitation"("merchant_id", "email") WHERE "accepted_at" IS NULL AND "revoked_at" IS NULL;

ALTER TABLE "audit_entry" ADD COLUMN "chain_number" BIGINT, ADD COLUMN "chain_hash" BYTEA;
ALTER TABLE "audit_entry" ADD CONSTRAINT "audit_entry_sealed_whole" CHECK (("chain_number" IS NULL) = ("chain_hash" IS NULL));
CREATE UNIQUE INDEX "audit_entry_chain" ON "audit_entry"("merchant_id", "chain_number") WHERE "merchant_id" IS NOT NULL;
CREATE UNIQUE INDEX "audit_entry_operator_chain" ON "audit_entry"("chain_number") WHERE "merchant_id" IS NULL;
-- What the sealer looks for: sealed rows leave it.
CREATE INDEX "audit_entry_unsealed" ON "audit_entry"("merchant_id", "id") WHERE "chain_number" IS NULL;
-- What one person did outside any merchant: signing in.
CREATE INDEX "audit_entry_person" ON "audit_entry"("subject", "id") WHERE "merchant_id" IS NULL;

CREATE TABLE "audit_head" (
    "chain" TEXT NOT NULL,
    "number" BIGINT NOT NULL,
    "hash" BYTEA NOT NULL,
    "sealed_at" TIMESTAMPTZ(3) NOT NULL,
    "mac" BYTEA NOT NULL,
    CONSTRAINT "audit_head_pkey" PRIMARY KEY ("chain")
);

-- Against slips, not against the owner of the database, who can take a trigger away: that, the chain shows.
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
