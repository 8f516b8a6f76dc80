ALTER TABLE "merchant" ADD COLUMN     "brand_colour" TEXT,
ADD COLUMN     "logo" BYTEA,
ADD COLUMN     "logo_hash" TEXT,
ADD COLUMN     "logo_height" SMALLINT,
ADD COLUMN     "logo_type" TEXT,
ADD COLUMN     "logo_width" SMALLINT,
ADD COLUMN     "support_number" TEXT;
ALTER TABLE "merchant_profile" ADD COLUMN     "partial_payments" BOOLEAN NOT NULL DEFAULT false;
-- What reaches a page is held to its form here too, whoever writes it.
ALTER TABLE "merchant" ADD CONSTRAINT "merchant_brand_colour_check" CHECK ("brand_colour" ~ '^#[0-9a-f]{6}$');
ALTER TABLE "merchant" ADD CONSTRAINT "merchant_support_number_check" CHECK ("support_number" ~ '^0[0-9]{9}$');
ALTER TABLE "merchant" ADD CONSTRAINT "merchant_logo_size_check" CHECK (octet_length("logo") BETWEEN 1 AND 3072);
ALTER TABLE "merchant" ADD CONSTRAINT "merchant_logo_type_check" CHECK ("logo_type" IN ('image/png', 'image/jpeg'));
ALTER TABLE "merchant" ADD CONSTRAINT "merchant_logo_hash_check" CHECK ("logo_hash" = encode(sha256("logo"), 'hex'));
ALTER TABLE "merchant" ADD CONSTRAINT "merchant_logo_box_check" CHECK ("logo_width" BETWEEN 1 AND 144 AND "logo_height" BETWEEN 1 AND 48);
ALTER TABLE "merchant" ADD CONSTRAINT "merchant_logo_whole_check" CHECK (num_nulls("logo", "logo_type", "logo_hash", "logo_width", "logo_height") IN (0, 5));
