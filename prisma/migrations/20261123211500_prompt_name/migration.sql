-- The name that prompts show as the receiver of the money; null if the operator has not set it.
ALTER TABLE "provider_account" ADD COLUMN "prompt_name" TEXT;
