-- When the last backup was made and the last one was restored in a drill. A row for each of the two.
CREATE TABLE "backup_status" (
    "kind" TEXT NOT NULL,
    "backup" TEXT,
    "succeeded_at" TIMESTAMPTZ(3),
    "failed_at" TIMESTAMPTZ(3),
    "problem" TEXT,

    CONSTRAINT "backup_status_pkey" PRIMARY KEY ("kind"),
    CONSTRAINT "backup_status_kind" CHECK ("kind" IN ('backup', 'drill')),
    CONSTRAINT "backup_status_complete" CHECK (("backup" IS NULL) = ("succeeded_at" IS NULL) AND ("problem" IS NULL) = ("failed_at" IS NULL))
);
