-- A person corrects the amount of an entry of the ledger.
ALTER TYPE "payment_kind" ADD VALUE 'correction';
