-- AlterTable
ALTER TABLE "user" ADD COLUMN     "email_verified_at" TIMESTAMPTZ(3);

-- Whoever has an account already keeps it as it is.
UPDATE "user" SET "email_verified_at" = "created_at";

-- AlterTable
ALTER TABLE "account_link" ADD COLUMN     "mailed" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "invitation" ADD COLUMN     "mailed" BOOLEAN NOT NULL DEFAULT false;
