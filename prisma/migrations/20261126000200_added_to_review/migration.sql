-- A statement's line that said more about something a person was already asked about.
ALTER TYPE "reconciliation_action" ADD VALUE 'added_to_review';
