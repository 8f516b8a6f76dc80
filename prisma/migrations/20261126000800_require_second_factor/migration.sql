-- AlterTable
ALTER TABLE "merchant" ADD COLUMN     "require_second_factor" BOOLEAN NOT NULL DEFAULT false;
