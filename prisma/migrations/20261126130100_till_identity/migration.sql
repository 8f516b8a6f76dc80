-- What identifies the till of an account at its provider. Accounts that were added before have none until a worker starts, because
-- it comes from the encrypted credentials.
ALTER TABLE "provider_account" ADD COLUMN "till_identity" TEXT;

-- If two owners had the same application of a provider, the ledger would book each of its payments in both tills. A unique index cannot
-- express this, because an owner may have several accounts with one identity. The first value of an account from before is not checked, so
-- that doctor can report accounts that already conflict. A disabled account counts if its till has payments.
CREATE FUNCTION "check_till_identity"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('choose_till'));
  IF EXISTS (
    SELECT 1 FROM "provider_account" o
    WHERE o."environment" = NEW."environment" AND o."provider" = NEW."provider" AND o."till_identity" = NEW."till_identity"
      AND o."merchant_id" IS DISTINCT FROM NEW."merchant_id"
      AND (o."disabled_at" IS NULL OR EXISTS (SELECT 1 FROM "payment" p WHERE p."till_id" = o."till_id"))) THEN
    RAISE EXCEPTION 'another owner has the till identity of account %', NEW."id";
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "provider_account_identity" BEFORE INSERT ON "provider_account" FOR EACH ROW
    WHEN (NEW."till_identity" IS NOT NULL) EXECUTE FUNCTION "check_till_identity"();
CREATE TRIGGER "provider_account_new_identity" BEFORE UPDATE OF "till_identity" ON "provider_account" FOR EACH ROW
    WHEN (OLD."till_identity" IS NOT NULL AND NEW."till_identity" IS DISTINCT FROM OLD."till_identity") EXECUTE FUNCTION "check_till_identity"();
