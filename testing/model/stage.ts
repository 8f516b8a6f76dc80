import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '@/lib/platform/db/database';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { findAccountById, openAccount } from '@/lib/providers/accounts/account-store';
import type { ProviderAccount } from '@/lib/providers/port/port';
import { makeMember } from '../data/access';
import { TILLS, type Till, variantOf } from '../fakes/fake-record';
import type { TestMerchant, TestRuntime } from '../runtime';
import { emptyTables } from '../schema/empty-tables';

/** What all histories (random sequences of steps) of a test file share. */
export interface Stage {
  readonly runtime: TestRuntime;
  /** The first merchant has an endpoint and a provider account of its own. The second merchant has neither. */
  readonly merchants: readonly TestMerchant[];
  /** The first account of each till. */
  readonly accounts: Readonly<Record<Till, ProviderAccount>>;
}

/** Two mobile numbers of each provider, and one that no provider serves. */
export const MOBILES = ['0744000001', '0684000001', '0624000001', '0744000002', '0684000002', '0624000002', '0734000001'] as const;

/** The networks that the accounts of each till serve. */
export type Service = Readonly<Record<Till, readonly string[]>>;

/** Each of the operator's tills serves one network. Only the first merchant has a second account for one of them. */
export const ONE_NETWORK_EACH: Service = { signed: ['vodacom'], unsigned: ['airtel'], own: ['vodacom'], repeating: ['halotel'] };

/**
 * The limit of the merchant's own account. It allows two requests at once (a sixth of it), and then one every six seconds (five sixths).
 */
const CALLS_PER_MINUTE = 12;

/** Above this amount, a refund of the second merchant needs a second person, senti. */
const REFUND_LIMIT = 5_000n;

const BUSY_POLL_MS = 5;
const BUSY_MAX_MS = 30_000;

const TABLES = [
  'bill',
  'bill_note',
  'counter_entry',
  'bill_import',
  'bill_import_row',
  'push_attempt',
  'instrument',
  'provider_message',
  'payment',
  'payment_allocation',
  'payment_correction',
  'payment_fee',
  'payment_record',
  'reversal_receipt',
  'refund',
  'review',
  'reconciliation',
  'reconciliation_line',
  'bill_event',
  'bill_link',
  'receipt',
  'event_feed_entry',
  'webhook_delivery',
  'webhook_attempt',
  'idempotency_key',
  'audit_entry',
  'provider_health',
  'provider_proof',
];

/** Replaces the account that the migration creates by the accounts of this model. */
export async function setStage(runtime: TestRuntime, merchants: readonly TestMerchant[]): Promise<Stage> {
  const { db } = runtime;
  await db.query({ text: "UPDATE provider_account SET networks = '{}'" });
  await db.query({ text: 'UPDATE merchant_profile SET partial_payments = true' });
  await db.query({ text: "UPDATE webhook_endpoint SET url = 'http://127.0.0.1:9/', updated_at = now() WHERE merchant_id = $1" }, [
    merchants[0]?.merchant.id,
  ]);
  // The second merchant has two people and a limit for refunds.
  const [, limited] = merchants;
  if (limited) await makeMember(runtime, limited, 'admin');
  await db.query({ text: 'UPDATE merchant_profile SET refund_limit = $2 WHERE merchant_id = $1' }, [limited?.merchant.id, REFUND_LIMIT]);
  const accounts = await Promise.all(
    TILLS.map(async (till) => [till, await insertTillAccount(runtime, merchants, till, ONE_NETWORK_EACH)] as const),
  );
  const found = (till: Till) => {
    const account = accounts.find(([one]) => one === till)?.[1];
    if (!account) throw new Error(`there is no account of ${till}`);
    return account;
  };
  return {
    runtime,
    merchants,
    accounts: { signed: found('signed'), unsigned: found('unsigned'), own: found('own'), repeating: found('repeating') },
  };
}

/** Creates another account of a till. */
export async function insertTillAccount(
  runtime: Pick<Runtime, 'db' | 'clock' | 'secrets' | 'settings'>,
  merchants: readonly TestMerchant[],
  till: Till,
  service: Service,
): Promise<ProviderAccount> {
  const id = crypto.randomUUID();
  await runtime.db.query(
    {
      text: `INSERT INTO provider_account (id, environment, merchant_id, provider, label, networks, calls_per_minute, created_at, till_identity)
             VALUES ($1, 'sandbox', $2, $3, $4, $5, $6, $7, $4)`,
    },
    [
      id,
      till === 'own' ? merchants[0]?.merchant.id : null,
      `fake-${variantOf(till)}`,
      till,
      service[till],
      till === 'own' ? CALLS_PER_MINUTE : null,
      runtime.clock(),
    ],
  );
  const stored = await findAccountById(runtime.db, id);
  if (!stored) throw new Error('the account is not there');
  return openAccount(runtime, stored);
}

/**
 * Waits until no other connection to the database runs a statement. A worker that dies in the model is not a killed process: statements
 * that it shared with other workers may still run, and would deadlock with the statements that empty the tables.
 */
async function waitForOthers(db: Database): Promise<void> {
  for (let waited = 0; waited < BUSY_MAX_MS; waited += BUSY_POLL_MS) {
    const [row] = await db.query<{ busy: boolean }>({
      text: `SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
               AND backend_type = 'client backend' AND state <> 'idle') AS busy`,
    });
    if (!row?.busy) return;
    await delay(BUSY_POLL_MS);
  }
  throw new Error('another session of the database works on and on');
}

/** Empties the database, except for the merchants and the first account of each till, which then serves these networks. */
export async function clearStage({ runtime: { db, owner }, accounts }: Stage, service: Service): Promise<void> {
  const first = TILLS.map((till) => accounts[till].id);
  await waitForOthers(db);
  await emptyTables(owner, TABLES);
  await db.query({ text: "DELETE FROM provider_account WHERE (provider LIKE 'fake-%' AND id <> ALL ($1::uuid[])) OR provider = 'hand'" }, [
    first,
  ]);
  for (const till of TILLS)
    await db.query({ text: 'UPDATE provider_account SET networks = $2 WHERE id = $1' }, [accounts[till].id, service[till]]);
  await db.query(
    {
      text: 'UPDATE provider_account SET disabled_at = NULL, calls_left = NULL, avoid_until = NULL, refusals = 0 WHERE id = ANY ($1::uuid[])',
    },
    [first],
  );
}
