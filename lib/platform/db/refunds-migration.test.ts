import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '@/testing/database';
import { migrate } from './migrate';
import { MIGRATIONS_FOLDER } from './migrations';

const url = testDatabase('template0');
const folder = mkdtempSync(join(tmpdir(), 'bili-before-refunds-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const id = (n: number) => `01a20000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const [M, A, B, P1, P2, P3, R2, Q2, Q3] = [1, 2, 3, 4, 5, 6, 7, 8, 9].map(id);
const PAYMENT =
  'INSERT INTO payment (id, environment, merchant_id, provider_account_id, provider_transaction_id, kind, amount, reverses_id, recorded_at)';
const REQUEST =
  'INSERT INTO reversal_request (id, environment, payment_id, amount, whole, our_reference, state, reason, requested_by, due_at, created_at)';

const BEFORE = `BEGIN;
  INSERT INTO merchant (id, slug, name, created_at) VALUES ('${M}', 'duka', 'Duka', now());
  INSERT INTO merchant_profile (merchant_id, environment, status, created_at) VALUES ('${M}', 'live', 'active', now());
  INSERT INTO provider_account (id, till_id, environment, merchant_id, provider, label, networks, created_at)
    VALUES ('${A}', '${A}', 'live', '${M}', 'mpesa', 'M-Pesa', '{}', now());
  INSERT INTO bill (id, merchant_id, environment, amount, reference, paid_amount, status, created_at)
    VALUES ('${B}', '${M}', 'live', 3000, 'A', 3000, 'FULLY_PAID', now());
  ${PAYMENT} VALUES ('${P1}', 'live', '${M}', '${A}', 'T1', 'payment', 5000, NULL, now()), ('${P2}', 'live', '${M}', '${A}', 'T2', 'payment', 4000, NULL, now()),
    ('${P3}', 'live', '${M}', '${A}', 'T3', 'payment', 700, NULL, now()), ('${R2}', 'live', '${M}', '${A}', 'T2R', 'reversal', 4000, '${P2}', now());
  INSERT INTO payment_allocation (id, merchant_id, environment, payment_id, bill_id, amount, created_by, created_at)
    VALUES ('${id(10)}', '${M}', 'live', '${P1}', '${B}', 3000, 'gateway', now());
  INSERT INTO refund_mark (payment_id, amount, reason, created_by, created_at)
    VALUES ('${P1}', 1000, 'in the shop', 'operator:asha', now()), ('${P1}', 500, 'the rest', 'operator:asha', now());
  ${REQUEST} VALUES ('${Q2}', 'live', '${P2}', 4000, true, '${'S'.repeat(20)}', 'SUCCEEDED', 'twice', 'operator:asha', NULL, now()),
    ('${Q3}', 'live', '${P3}', 700, true, '${'U'.repeat(20)}', 'UNKNOWN', 'twice', 'operator:asha', now(), now());
  INSERT INTO review (id, environment, merchant_id, kind, reversal_request_id, data, opened_at)
    VALUES ('${id(11)}', 'live', '${M}', 'reversal_unresolved', '${Q3}', '{}', now());
COMMIT;`;

test('requests for reversals and marks of the version before become refunds, and the amounts stay', async () => {
  for (const name of readdirSync(MIGRATIONS_FOLDER).filter((one) => /^\d/.test(one) && one < '20261127140000'))
    cpSync(join(MIGRATIONS_FOLDER, name), join(folder, name), { recursive: true });
  await migrate(url(), { folder });
  const client = new pg.Client({ connectionString: url() });
  await client.connect();
  try {
    await client.query(BEFORE);
    await migrate(url());
    const { rows: refunds } = await client.query(
      'SELECT payment_id, amount::int, way, state, source, reason, entry_id IS NOT NULL AS entered FROM refund ORDER BY amount',
    );
    const byHand = { payment_id: P1, way: 'hand', state: 'DONE', source: 'other', entered: true };
    expect(refunds).toEqual([
      { ...byHand, amount: 500, reason: 'the rest' },
      { payment_id: P3, amount: 700, way: 'reversal', state: 'UNKNOWN', source: null, reason: 'twice', entered: false },
      { ...byHand, amount: 1000, reason: 'in the shop' },
      { payment_id: P2, amount: 4000, way: 'reversal', state: 'DONE', source: null, reason: 'twice', entered: false },
    ]);
    const { rows: left } = await client.query(
      "SELECT id, unmatched_of(id)::int AS unmatched FROM payment WHERE kind = 'payment' ORDER BY id",
    );
    expect(left).toEqual([
      { id: P1, unmatched: 500 },
      { id: P2, unmatched: 0 },
      { id: P3, unmatched: 700 },
    ]);
    const { rows: reviews } = await client.query('SELECT kind, reversal_request_id AS refund FROM review');
    expect(reviews).toEqual([{ kind: 'refund_unresolved', refund: Q3 }]);
    const { rows: accounts } = await client.query(
      "SELECT provider, disabled_at IS NOT NULL AS disabled FROM provider_account WHERE provider = 'hand'",
    );
    expect(accounts).toEqual([{ provider: 'hand', disabled: true }]);
  } finally {
    await client.end();
  }
});
