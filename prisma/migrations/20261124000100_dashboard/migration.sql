ALTER TYPE "role" ADD VALUE 'collector';

ALTER TABLE "session" ADD COLUMN "proven_at" TIMESTAMPTZ(3), ADD COLUMN "code_due" BOOLEAN NOT NULL DEFAULT false;
UPDATE "session" SET "proven_at" = "created_at";
ALTER TABLE "session" ALTER COLUMN "proven_at" SET NOT NULL;

ALTER TABLE "bill" ADD COLUMN "created_by_id" UUID;
ALTER TABLE "bill" ADD CONSTRAINT "bill_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "user"("id") ON DELETE SET NULL ON UPDATE CASCADE;
-- Few bills are made by hand: a person's own are found without an entry for all the others.
CREATE INDEX "bill_created_by" ON "bill"("merchant_id", "environment", "created_by_id", "id") WHERE "created_by_id" IS NOT NULL;
