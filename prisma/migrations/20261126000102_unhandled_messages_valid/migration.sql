-- Reads the whole table, and lets others write meanwhile.
ALTER TABLE "provider_message" VALIDATE CONSTRAINT "provider_message_reversal_request_id_fkey";
