-- The next migration uses the new value, which PostgreSQL allows only in a later transaction.
ALTER TYPE "payment_kind" ADD VALUE IF NOT EXISTS 'refund';
DO $$
BEGIN
  IF EXISTS (SELECT 1 FROM pg_enum WHERE enumtypid = 'message_kind'::regtype AND enumlabel = 'reversal') THEN
    ALTER TYPE "message_kind" RENAME VALUE 'reversal' TO 'refund';
    ALTER TYPE "message_kind" RENAME VALUE 'reversal_status' TO 'refund_status';
    ALTER TYPE "review_kind" RENAME VALUE 'reversal_unresolved' TO 'refund_unresolved';
  END IF;
END $$;
