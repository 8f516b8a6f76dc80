-- Files that were checked and never started, which are not kept.
CREATE INDEX "bill_import_drafts" ON "bill_import"("created_at") WHERE "started_at" IS NULL;
