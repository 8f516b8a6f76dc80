-- What a merchant's server can add to a bill: the customer's e-mail address, own values, an expiry, and the way back to the shop.
ALTER TABLE "bill" ADD COLUMN "customer_email" TEXT,
    ADD COLUMN "metadata" JSONB,
    ADD COLUMN "expires_at" TIMESTAMPTZ(3),
    ADD COLUMN "return_url" TEXT,
    ADD COLUMN "language" TEXT;

-- The origins to which payment pages may link back.
ALTER TABLE "merchant_profile" ADD COLUMN "return_origins" TEXT[] NOT NULL DEFAULT '{}';
