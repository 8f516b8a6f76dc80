-- A payment went back, and the provider did not say how much.
ALTER TYPE "review_kind" ADD VALUE 'reversal_assumed';
