-- What the provider answered to the last refused payment request.
ALTER TABLE "provider_account" ADD COLUMN "last_refusal" TEXT;

-- Since when the provider refuses the owner, if the operator was notified of it.
ALTER TABLE "provider_account" ADD COLUMN "refused_since" TIMESTAMPTZ(3);
