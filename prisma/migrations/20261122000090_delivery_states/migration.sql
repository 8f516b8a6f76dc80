-- Apart from what uses them: PostgreSQL takes new values of an enum only after they are committed.
ALTER TYPE "delivery_state" ADD VALUE 'SENDING';
ALTER TYPE "delivery_state" ADD VALUE 'UNSENT';
