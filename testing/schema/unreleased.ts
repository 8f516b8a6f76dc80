import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';
import type { Queryable } from '@/lib/platform/db/database';

import type { AppliedMigration } from '@/lib/platform/db/migrations';

/** The migration records of the last development version before the first release. */
export const UNRELEASED: readonly AppliedMigration[] = readFileSync(join(PROJECT_ROOT, 'testing/schema/unreleased-migrations.txt'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => {
    const [checksum = '', name = ''] = line.split('  ');
    return { name, checksum };
  });

/**
 * Reverts the migrations after the initial one, because the development versions did not have them. Columns that a migration adds are
 * reverted without a line here.
 */
const REVERT_MIGRATIONS = `
  ALTER TABLE review DROP COLUMN IF EXISTS message_id, DROP CONSTRAINT IF EXISTS review_has_subject,
    ADD CONSTRAINT review_has_subject CHECK (num_nonnulls(attempt_id, payment_id, reversal_request_id) > 0);
  DROP INDEX IF EXISTS review_one_open_per_subject;
  CREATE UNIQUE INDEX review_one_open_per_subject ON review (kind, coalesce(attempt_id, reversal_request_id, payment_id))
    WHERE resolved_at IS NULL;
  DROP TABLE IF EXISTS api_request, payment_fee;
  DROP TABLE IF EXISTS ledger_check, hold, derived_key, backup_status;
  DROP TABLE IF EXISTS api_request;
  DROP TABLE IF EXISTS bill_link;
  DROP TABLE IF EXISTS webhook_proposal;
  DROP TYPE IF EXISTS proposal_state;
  DROP TABLE IF EXISTS sandbox_scenario, sandbox_ring, sandbox_phone, sandbox_settings, sandbox_refund, sandbox_instrument_payment,
    sandbox_instrument;
  DROP TABLE IF EXISTS alert_mark;
  DROP TABLE IF EXISTS push_subscription;
  DROP FUNCTION IF EXISTS add_webhook_attempt_partition, drop_webhook_attempt_partition, tidy_search_entries;
  DROP TABLE IF EXISTS search_entry, search_size, search_source;
  DROP TABLE IF EXISTS forget_source;
  CREATE OR REPLACE TRIGGER payment_append_only BEFORE UPDATE OR DELETE ON payment FOR EACH ROW EXECUTE FUNCTION forbid_change();
  DROP FUNCTION IF EXISTS keep_payment;
  DROP TABLE IF EXISTS provider_proof;
  DROP TYPE IF EXISTS proof_kind;
  DROP FUNCTION IF EXISTS check_till_identity;
  DROP TABLE IF EXISTS counter_entry;
  DROP TABLE IF EXISTS counter_shift;
  DROP TABLE IF EXISTS cashier_device;
  DROP INDEX IF EXISTS bill_overdue, bill_due;
  DROP INDEX IF EXISTS bill_expiring;
  DROP INDEX IF EXISTS bill_merchant_id_environment_reference_id_idx;
  DROP INDEX IF EXISTS bill_mobile;
  DROP INDEX IF EXISTS push_attempt_failed, push_attempt_failure;
  DROP TRIGGER IF EXISTS bill_unpaid_changed ON bill;
  DROP FUNCTION IF EXISTS note_unpaid_change;
  DROP TABLE IF EXISTS unpaid_change, unpaid_day, payment_hour, hidden_steps;
  DROP TABLE IF EXISTS provider_route;
  DROP TABLE IF EXISTS refund_limit_change;
  ALTER TABLE review DROP CONSTRAINT IF EXISTS review_reversal_request_id_fkey;
  ALTER TABLE provider_message DROP CONSTRAINT IF EXISTS provider_message_reversal_request_id_fkey;
  ALTER TABLE payment DROP COLUMN IF EXISTS instrument_id CASCADE;
  ALTER TABLE provider_message DROP COLUMN IF EXISTS instrument_id CASCADE;
  DROP TABLE IF EXISTS instrument;
  DROP TRIGGER IF EXISTS profile_issuing_changed ON merchant_profile;
  DROP FUNCTION IF EXISTS follow_issuing;
  DROP TABLE IF EXISTS instrument_source;
  DROP TYPE IF EXISTS instrument_state;
  DROP TABLE IF EXISTS refund, payment_record;
  DROP TYPE IF EXISTS refund_state, refund_way, payment_source;
  DROP INDEX IF EXISTS provider_account_hand;
  ALTER TABLE payment DROP CONSTRAINT IF EXISTS payment_reversal_names_payment,
    ADD CONSTRAINT payment_reversal_names_payment CHECK ((kind = 'reversal') = (reverses_id IS NOT NULL));
  DROP FUNCTION IF EXISTS unmatched_of;
  DROP TABLE IF EXISTS reversal_request;
  DROP TYPE IF EXISTS reversal_state;
  CREATE TYPE reversal_state AS ENUM ('QUEUED', 'SENDING', 'UNKNOWN', 'SUCCEEDED', 'FAILED');
  CREATE TABLE reversal_request ( id UUID NOT NULL, environment environment NOT NULL, payment_id UUID NOT NULL, amount BIGINT NOT NULL,
    whole BOOLEAN NOT NULL, our_reference TEXT NOT NULL, state reversal_state NOT NULL DEFAULT 'QUEUED', failure_reason TEXT, reason
    TEXT NOT NULL, requested_by TEXT NOT NULL, send_count INTEGER NOT NULL DEFAULT 0, query_count INTEGER NOT NULL DEFAULT 0, due_at
    TIMESTAMPTZ(3), lease_until TIMESTAMPTZ(3), lease_token INTEGER NOT NULL DEFAULT 0, created_at TIMESTAMPTZ(3) NOT NULL, sent_at
    TIMESTAMPTZ(3), settled_at TIMESTAMPTZ(3), CONSTRAINT reversal_request_pkey PRIMARY KEY (id), CONSTRAINT
    reversal_request_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payment(id) ON DELETE RESTRICT ON UPDATE CASCADE, CONSTRAINT
    reversal_request_amount_positive CHECK (amount > 0), CONSTRAINT reversal_request_our_reference_form CHECK (our_reference ~
    '^[A-Z0-9]{20}$'), CONSTRAINT reversal_request_failure_has_reason CHECK ((state = 'FAILED') = (failure_reason IS NOT NULL)) );
  CREATE UNIQUE INDEX reversal_request_our_reference_key ON reversal_request(our_reference);
  CREATE INDEX reversal_request_payment_id_idx ON reversal_request(payment_id);
  CREATE INDEX reversal_request_due ON reversal_request(due_at) WHERE due_at IS NOT NULL;
  CREATE UNIQUE INDEX reversal_request_one_open_per_payment ON reversal_request(payment_id) WHERE state IN ('QUEUED', 'SENDING',
    'UNKNOWN');
  ALTER TABLE review ADD CONSTRAINT review_reversal_request_id_fkey FOREIGN KEY (reversal_request_id) REFERENCES reversal_request (id)
    ON DELETE SET NULL ON UPDATE CASCADE;
  ALTER TABLE provider_message ADD CONSTRAINT provider_message_reversal_request_id_fkey FOREIGN KEY (reversal_request_id) REFERENCES
    reversal_request (id) ON DELETE SET NULL ON UPDATE CASCADE;
  DROP TABLE IF EXISTS refund_mark;
  CREATE TABLE refund_mark ( payment_id UUID NOT NULL, reason TEXT NOT NULL, created_by TEXT NOT NULL, created_at TIMESTAMPTZ(3) NOT
    NULL, CONSTRAINT refund_mark_pkey PRIMARY KEY (payment_id), CONSTRAINT refund_mark_payment_id_fkey FOREIGN KEY (payment_id)
    REFERENCES payment(id) ON DELETE RESTRICT ON UPDATE CASCADE );
  CREATE TRIGGER refund_mark_append_only BEFORE UPDATE OR DELETE ON refund_mark FOR EACH ROW EXECUTE FUNCTION forbid_change();
  CREATE TRIGGER refund_mark_not_truncated BEFORE TRUNCATE ON refund_mark FOR EACH STATEMENT EXECUTE FUNCTION forbid_change();
  DROP TRIGGER IF EXISTS bill_reserves_open_attempts ON bill;
  DROP FUNCTION IF EXISTS check_bill_reserved_amount;
  DROP TRIGGER IF EXISTS allocation_counted ON payment_allocation;
  DROP FUNCTION IF EXISTS count_allocation;
  DROP INDEX IF EXISTS payment_without_attempt`;

/** Returns statements that drop the columns which migrations added after the initial one. */
function dropAddedColumns(): string[] {
  const texts = globSync('prisma/migrations/*/migration.sql', { cwd: PROJECT_ROOT })
    .filter((path) => !path.includes('_initial'))
    .map((path) => readFileSync(join(PROJECT_ROOT, path), 'utf8').replace(/--.*/g, ''));
  return texts.flatMap((sql) =>
    [...sql.matchAll(/ALTER TABLE "?(\w+)"?([^;]*)/g)].flatMap(([, table, changes = '']) =>
      [...changes.matchAll(/ADD COLUMN\s+"?(\w+)"?/g)].map(
        ([, column]) => `ALTER TABLE IF EXISTS "${table}" DROP COLUMN IF EXISTS "${column}" CASCADE`,
      ),
    ),
  );
}

/** Makes a migrated database look like that of a development version: the same tables with the old records. */
export async function recordUnreleased(db: Queryable, migrations = UNRELEASED): Promise<void> {
  await db.query({ text: 'DELETE FROM _prisma_migrations' });
  for (const text of [...dropAddedColumns(), ...REVERT_MIGRATIONS.split(';')]) await db.query({ text });
  await db.query(
    {
      text: `INSERT INTO _prisma_migrations (id, migration_name, checksum, finished_at, applied_steps_count)
             SELECT gen_random_uuid(), name, checksum, now(), 1 FROM unnest($1::text[], $2::text[]) AS t (name, checksum)`,
    },
    [migrations.map(({ name }) => name), migrations.map(({ checksum }) => checksum)],
  );
}
