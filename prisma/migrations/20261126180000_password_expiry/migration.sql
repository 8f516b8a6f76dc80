ALTER TABLE "user" ADD COLUMN password_expires_at timestamptz(3);
