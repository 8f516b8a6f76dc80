-- How much each web process allows of a rate limit: worth nothing after a crash, so it is not logged.
CREATE UNLOGGED TABLE "rate_use" (
    "subject" TEXT NOT NULL,
    "process_id" UUID NOT NULL,
    "per_second" DOUBLE PRECISION NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "rate_use_pkey" PRIMARY KEY ("subject","process_id")
);
