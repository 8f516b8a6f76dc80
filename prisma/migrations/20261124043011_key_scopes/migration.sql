-- What an API key may be used for. Existing keys keep everything that they could do.
ALTER TABLE "api_key" ADD COLUMN "scopes" TEXT[] NOT NULL DEFAULT '{create,read,events}';
