ALTER TABLE "api_key" ADD COLUMN "first_id" TEXT;
WITH RECURSIVE line AS (
  SELECT "id", "id" AS "first_id" FROM "api_key" WHERE "replaces_id" IS NULL
  UNION ALL
  SELECT k."id", l."first_id" FROM "api_key" k JOIN line l ON k."replaces_id" = l."id"
)
UPDATE "api_key" k SET "first_id" = l."first_id" FROM line l WHERE l."id" = k."id";
ALTER TABLE "api_key" ALTER COLUMN "first_id" SET NOT NULL;
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_first_id_fkey" FOREIGN KEY ("first_id") REFERENCES "api_key"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What successors have billed so far counts with the first of their line.
INSERT INTO "api_key_day" ("key_id", "day", "billed")
SELECT k."first_id", d."day", sum(d."billed") FROM "api_key_day" d JOIN "api_key" k ON k."id" = d."key_id"
WHERE k."first_id" <> k."id" AND d."billed" > 0 GROUP BY 1, 2
ON CONFLICT ("key_id", "day") DO UPDATE SET "billed" = "api_key_day"."billed" + EXCLUDED."billed";
UPDATE "api_key_day" d SET "billed" = 0 FROM "api_key" k WHERE k."id" = d."key_id" AND k."first_id" <> k."id" AND d."billed" > 0;
