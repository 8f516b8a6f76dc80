-- The merchants whose new bills get their payment instruments at once. A worker reads their new bills in the order of the ids.
CREATE TABLE "instrument_source" (
    "merchant_id" UUID NOT NULL,
    "environment" "environment" NOT NULL,
    "read_to" UUID NOT NULL,
    "checked_to" UUID NOT NULL,

    CONSTRAINT "instrument_source_pkey" PRIMARY KEY ("merchant_id", "environment"),
    CONSTRAINT "instrument_source_merchant_id_environment_fkey" FOREIGN KEY ("merchant_id", "environment")
        REFERENCES "merchant_profile"("merchant_id", "environment") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- Bills count from ten seconds before the switch, because the clocks of the processes that create the ids may be behind.
CREATE FUNCTION "follow_issuing"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  lowest UUID := (lpad(to_hex((extract(epoch FROM clock_timestamp() - interval '10 seconds') * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid;
BEGIN
  IF NEW."issues_instruments" THEN
    INSERT INTO "instrument_source" ("merchant_id", "environment", "read_to", "checked_to")
    VALUES (NEW."merchant_id", NEW."environment", lowest, lowest) ON CONFLICT DO NOTHING;
  ELSE
    DELETE FROM "instrument_source" WHERE "merchant_id" = NEW."merchant_id" AND "environment" = NEW."environment";
  END IF;
  RETURN NULL;
END;
$$;
CREATE TRIGGER "profile_issuing_changed" AFTER UPDATE OF "issues_instruments" ON "merchant_profile" FOR EACH ROW
  WHEN (OLD."issues_instruments" <> NEW."issues_instruments") EXECUTE FUNCTION "follow_issuing"();
