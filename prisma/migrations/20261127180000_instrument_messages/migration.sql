-- The next migration adds the table. PostgreSQL allows new values only in a later transaction.
ALTER TYPE "message_kind" ADD VALUE IF NOT EXISTS 'instrument';
ALTER TYPE "message_kind" ADD VALUE IF NOT EXISTS 'instrument_status';
ALTER TYPE "message_kind" ADD VALUE IF NOT EXISTS 'instrument_change';
