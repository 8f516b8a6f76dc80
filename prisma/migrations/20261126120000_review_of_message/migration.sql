-- A review can be about a stored provider message that belongs to no attempt and no reversal.
ALTER TABLE "review" ADD COLUMN "message_id" uuid;
ALTER TABLE "review" DROP CONSTRAINT "review_has_subject";
ALTER TABLE "review" ADD CONSTRAINT "review_has_subject"
  CHECK (num_nonnulls("attempt_id", "payment_id", "reversal_request_id", "message_id") > 0);
DROP INDEX "review_one_open_per_subject";
CREATE UNIQUE INDEX "review_one_open_per_subject"
  ON "review" ("kind", COALESCE("attempt_id", "reversal_request_id", "payment_id", "message_id")) WHERE "resolved_at" IS NULL;
