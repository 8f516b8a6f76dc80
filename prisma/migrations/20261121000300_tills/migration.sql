ALTER TABLE "push_attempt" ADD COLUMN "hinted" BOOLEAN NOT NULL DEFAULT false;

-- A till is the first account of its owner at a provider: receipts are unique there, also under renewed credentials.
ALTER TABLE "provider_account" ADD COLUMN "till_id" UUID;
UPDATE "provider_account" a SET "till_id" = (
  SELECT t."id" FROM "provider_account" t
  WHERE t."environment" = a."environment" AND t."provider" = a."provider" AND t."merchant_id" IS NOT DISTINCT FROM a."merchant_id"
  ORDER BY t."created_at", t."id" LIMIT 1);
ALTER TABLE "provider_account" ALTER COLUMN "till_id" SET NOT NULL;
ALTER TABLE "provider_account" ADD CONSTRAINT "provider_account_till_id_fkey" FOREIGN KEY ("till_id") REFERENCES "provider_account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- The ledger's rows get what they would have had; nothing else of them ever changes.
ALTER TABLE "payment" ADD COLUMN "till_id" UUID;
ALTER TABLE "payment" DISABLE TRIGGER "payment_append_only";
UPDATE "payment" p SET "till_id" = a."till_id" FROM "provider_account" a WHERE a."id" = p."provider_account_id";
ALTER TABLE "payment" ENABLE TRIGGER "payment_append_only";
ALTER TABLE "payment" ALTER COLUMN "till_id" SET NOT NULL;
ALTER TABLE "payment" ADD CONSTRAINT "payment_till_id_fkey" FOREIGN KEY ("till_id") REFERENCES "provider_account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
CREATE UNIQUE INDEX "payment_till_id_provider_transaction_id_kind_key" ON "payment"("till_id", "provider_transaction_id", "kind");
DROP INDEX "payment_provider_account_id_provider_transaction_id_kind_key";

-- Derived, so that nobody can get it wrong.
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

CREATE FUNCTION "copy_till"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT "till_id" INTO NEW."till_id" FROM "provider_account" WHERE "id" = NEW."provider_account_id";
  RETURN NEW;
END $$;
CREATE TRIGGER "payment_till" BEFORE INSERT ON "payment" FOR EACH ROW EXECUTE FUNCTION "copy_till"();
