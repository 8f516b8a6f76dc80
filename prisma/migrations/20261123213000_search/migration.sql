-- The texts by which the dashboard finds bills: of bills (reference, customer, number), of attempts to another number, and of payments.
-- Workers write them a moment later, so that creating a bill does not pay for them. They only repeat other tables, so nothing refers to them.
CREATE TABLE "search_entry" (
  -- The id of the bill, attempt or allocation.
  "id" UUID NOT NULL,
  "merchant_id" UUID NOT NULL,
  "environment" "environment" NOT NULL,
  "bill_id" UUID NOT NULL,
  "text" TEXT NOT NULL,
  "keys" INTEGER[] NOT NULL,
  CONSTRAINT "search_entry_pkey" PRIMARY KEY ("id")
);
-- Collecting entries and writing them together costs a third. Workers empty the list of pending entries at once, because every look-up of
-- a search would also read it.
CREATE INDEX "search_entry_keys" ON "search_entry" USING GIN ("keys") WITH (gin_pending_list_limit = 256);

-- The number of entries of each merchant.
CREATE TABLE "search_size" (
  "merchant_id" UUID NOT NULL,
  "environment" "environment" NOT NULL,
  "entries" BIGINT NOT NULL,
  CONSTRAINT "search_size_pkey" PRIMARY KEY ("merchant_id", "environment")
);

-- How far each table was read.
CREATE TABLE "search_source" (
  "name" TEXT NOT NULL,
  -- The rows up to this id have entries, except those that were committed late.
  "read_to" UUID NOT NULL,
  -- The rows up to this id were read a second time, long after their creation.
  "checked_to" UUID NOT NULL,
  CONSTRAINT "search_source_pkey" PRIMARY KEY ("name"),
  CONSTRAINT "search_source_name" CHECK ("name" IN ('bill', 'attempt', 'allocation'))
);
INSERT INTO "search_source" ("name", "read_to", "checked_to")
SELECT "name", '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000'
FROM unnest(ARRAY['bill', 'attempt', 'allocation']) AS "name";
