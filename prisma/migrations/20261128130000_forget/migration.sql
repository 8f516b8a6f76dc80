-- How far workers have forgotten the personal data of each table, in the order of its ids. The row lock is the lease.
CREATE TABLE "forget_source" (
    "name" TEXT NOT NULL,
    "read_to" UUID NOT NULL,

    CONSTRAINT "forget_source_pkey" PRIMARY KEY ("name")
);
INSERT INTO "forget_source" ("name", "read_to")
SELECT name, '00000000-0000-0000-0000-000000000000' FROM unnest(ARRAY['bill', 'push_attempt', 'payment', 'bill_note', 'bill_import', 'reconciliation',
    'provider_message', 'webhook_delivery']) AS source (name);

-- A payment is never changed or deleted. Only its number may become a pseudonym, once.
CREATE FUNCTION "keep_payment"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD."mobile" NOT LIKE 'erased:%' AND NEW."mobile" ~ '^erased:[A-Za-z0-9_-]{22}$' THEN
    OLD."mobile" := NEW."mobile";
    IF NEW IS NOT DISTINCT FROM OLD THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'rows of payment are never changed or deleted';
END $$;
CREATE OR REPLACE TRIGGER "payment_append_only" BEFORE UPDATE OR DELETE ON "payment" FOR EACH ROW EXECUTE FUNCTION "keep_payment"();
