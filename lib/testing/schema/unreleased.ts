import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '@/lib/config/project-root';
import type { Queryable } from '@/lib/db/database';

import type { AppliedMigration } from '@/lib/db/migrations';

/** The migration records of the last development version before the first release. */
export const UNRELEASED: readonly AppliedMigration[] = readFileSync(
  join(PROJECT_ROOT, 'lib/testing/schema/unreleased-migrations.txt'),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => {
    const [checksum = '', name = ''] = line.split('  ');
    return { name, checksum };
  });

/** Reverts the migrations after the initial one, because the development versions did not have them. */
const REVERT_MIGRATIONS = `
  ALTER TABLE review DROP COLUMN IF EXISTS message_id, DROP CONSTRAINT IF EXISTS review_has_subject,
    ADD CONSTRAINT review_has_subject CHECK (num_nonnulls(attempt_id, payment_id, reversal_request_id) > 0);
  DROP INDEX IF EXISTS review_one_open_per_subject;
  CREATE UNIQUE INDEX review_one_open_per_subject ON review (kind, coalesce(attempt_id, reversal_request_id, payment_id))
    WHERE resolved_at IS NULL;
  DROP TABLE IF EXISTS api_request, payment_fee;
  DROP TABLE IF EXISTS ledger_check;
  ALTER TABLE heartbeat DROP COLUMN IF EXISTS problem;
  DROP TABLE IF EXISTS api_request;
  DROP TABLE IF EXISTS bill_link;
  DROP TABLE IF EXISTS webhook_proposal;
  DROP TYPE IF EXISTS proposal_state;
  DROP TABLE IF EXISTS sandbox_scenario, sandbox_ring, sandbox_phone, sandbox_settings;
  DROP TABLE IF EXISTS alert_mark;
  DROP TABLE IF EXISTS push_subscription;
  DROP FUNCTION IF EXISTS add_webhook_attempt_partition, drop_webhook_attempt_partition, tidy_search_entries;
  DROP TABLE IF EXISTS search_entry, search_size, search_source;
  DROP TABLE IF EXISTS provider_proof;
  DROP TYPE IF EXISTS proof_kind;
  ALTER TABLE provider_message DROP COLUMN IF EXISTS took_ms;
  ALTER TABLE push_attempt DROP COLUMN IF EXISTS refused_account_ids;
  ALTER TABLE payment DROP COLUMN IF EXISTS fee, DROP COLUMN IF EXISTS happened_at;
  ALTER TABLE provider_account DROP COLUMN IF EXISTS calls_per_minute, DROP COLUMN IF EXISTS calls_left, DROP COLUMN IF EXISTS calls_left_at,
    DROP COLUMN IF EXISTS prompt_name, DROP COLUMN IF EXISTS last_refusal, DROP COLUMN IF EXISTS refused_since,
    DROP COLUMN IF EXISTS refusals, DROP COLUMN IF EXISTS avoid_until, DROP COLUMN IF EXISTS till_identity CASCADE;
  DROP FUNCTION IF EXISTS check_till_identity;
  ALTER TABLE bill DROP COLUMN IF EXISTS customer_name, DROP COLUMN IF EXISTS description, DROP COLUMN IF EXISTS due_at,
    DROP COLUMN IF EXISTS customer_email, DROP COLUMN IF EXISTS metadata, DROP COLUMN IF EXISTS expires_at, DROP COLUMN IF EXISTS return_url,
    DROP COLUMN IF EXISTS language;
  ALTER TABLE bill_import_row DROP COLUMN IF EXISTS customer_name, DROP COLUMN IF EXISTS description, DROP COLUMN IF EXISTS due_at;
  DROP TABLE IF EXISTS counter_entry;
  DROP TABLE IF EXISTS counter_shift;
  ALTER TABLE session DROP COLUMN IF EXISTS cashier_device_id;
  ALTER TABLE "user" DROP COLUMN IF EXISTS mobile, DROP COLUMN IF EXISTS password_expires_at;
  ALTER TABLE invitation DROP COLUMN IF EXISTS mobile, DROP COLUMN IF EXISTS name;
  DROP TABLE IF EXISTS cashier_device;
  DROP INDEX IF EXISTS bill_overdue;
  DROP INDEX IF EXISTS bill_expiring;
  DROP INDEX IF EXISTS bill_merchant_id_environment_reference_id_idx;
  DROP INDEX IF EXISTS bill_mobile;
  DROP TRIGGER IF EXISTS bill_unpaid_changed ON bill;
  DROP FUNCTION IF EXISTS note_unpaid_change;
  DROP TABLE IF EXISTS unpaid_change, unpaid_day, payment_hour, hidden_steps;
  ALTER TABLE rollup DROP COLUMN IF EXISTS hours_to;
  ALTER TABLE merchant_profile DROP COLUMN IF EXISTS activation_requested_at, DROP COLUMN IF EXISTS return_origins;
  ALTER TABLE api_key DROP COLUMN IF EXISTS scopes;
  ALTER TABLE heartbeat DROP COLUMN IF EXISTS foreign_forms, DROP COLUMN IF EXISTS foreign_form_at, DROP COLUMN IF EXISTS foreign_form;
  DROP TABLE IF EXISTS provider_route;
  DROP TRIGGER IF EXISTS mark_fits_payment ON refund_mark;
  DROP TRIGGER IF EXISTS refund_mark_filled ON refund_mark;
  DROP FUNCTION IF EXISTS unallocated_of, fill_refund_mark;
  DROP TRIGGER IF EXISTS bill_reserves_open_attempts ON bill;
  DROP FUNCTION IF EXISTS check_bill_reserved_amount;
  DROP TRIGGER IF EXISTS allocation_counted ON payment_allocation;
  DROP FUNCTION IF EXISTS count_allocation;
  ALTER TABLE payment_allocation DROP COLUMN IF EXISTS counts_at, DROP COLUMN IF EXISTS counts_as;
  DROP INDEX IF EXISTS refund_mark_payment_id_idx, payment_without_attempt;
  ALTER TABLE refund_mark DROP CONSTRAINT IF EXISTS refund_mark_pkey, DROP COLUMN IF EXISTS amount, DROP COLUMN IF EXISTS id;
  ALTER TABLE refund_mark ADD CONSTRAINT refund_mark_pkey PRIMARY KEY (payment_id)`;

/** Makes a migrated database look like that of a development version: the same tables with the old records. */
export async function recordUnreleased(db: Queryable, migrations = UNRELEASED): Promise<void> {
  await db.query({ text: 'DELETE FROM _prisma_migrations' });
  for (const text of REVERT_MIGRATIONS.split(';')) await db.query({ text });
  await db.query(
    {
      text: `INSERT INTO _prisma_migrations (id, migration_name, checksum, finished_at, applied_steps_count)
             SELECT gen_random_uuid(), name, checksum, now(), 1 FROM unnest($1::text[], $2::text[]) AS t (name, checksum)`,
    },
    [migrations.map(({ name }) => name), migrations.map(({ checksum }) => checksum)],
  );
}
