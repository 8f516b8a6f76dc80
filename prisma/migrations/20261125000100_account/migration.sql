ALTER TYPE "account_link_kind" ADD VALUE 'email';
