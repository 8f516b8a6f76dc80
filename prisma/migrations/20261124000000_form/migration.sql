-- AlterTable
ALTER TABLE "push_attempt" ADD COLUMN     "form_id" TEXT;
