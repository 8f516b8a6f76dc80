import type { Runtime } from '@/lib/config/runtime';
import { DAY_MS, SECOND_MS } from '@/lib/core/clock';
import { findAccountById } from '@/lib/payments/account-store';
import { openAccount } from '@/lib/payments/accounts';
import type { WorkerRuntime } from '@/lib/payments/work-attempt';
import type { ProviderAccount } from '@/lib/providers/port';
import { emptyTables } from '../empty-tables';
import { Crash, FATES, fakeAdapter, type Heard } from '../fake-adapter';
import { createFakeProvider, type FakeProvider, type Variant } from '../fake-provider';
import type { TestMerchant } from '../runtime';
import { type Books, readBooks } from './books';

/** How one call to the provider goes: indices into `FATES` and into what the provider may make of it. */
export interface Script {
  readonly fate: number;
  readonly word: number;
}

export const HONEST: Script = { fate: 0, word: 0 };

/** A worker that waits for an answer, and what it does with it. */
interface Hanging {
  readonly resume: () => void;
  readonly task: Promise<void>;
}

/** What outlives the sequences of one test file. */
export interface Stage {
  readonly runtime: Runtime;
  /** The first has an endpoint, the second has not. */
  readonly merchants: readonly TestMerchant[];
  readonly accounts: Readonly<Record<Variant, ProviderAccount>>;
}

/** One sequence's world: the gateway on its database, the provider with the truth, and whoever is between them. */
export interface World extends Stage {
  readonly runtime: Runtime;
  readonly provider: FakeProvider;
  readonly heard: Heard;
  readonly hanging: Hanging[];
  /** Claimed by a worker that has not begun, and may be dead. */
  readonly held: ((script: Script) => Promise<void>)[];
  /** Callbacks that the gateway took. */
  callbacks: number;
  /** Attempts that the provider denied after they were paid: by our reference. */
  readonly contradicted: Set<string>;
  /** Receipts that the gateway was told of by somebody it has to believe, in full. */
  readonly learned: Set<string>;
  /** What people or statements said, as `reference kind`. */
  readonly told: Set<string>;
  /** Bills of which somebody who would pay was told in this step that they are closed. */
  readonly turnedAway: Set<string>;
  /** As of the last look. */
  books: Books;
  advance(ms: number): void;
  /** The gateway as one worker sees it, whose next call goes as the script says. */
  worker(script: Script): WorkerRuntime;
  /** Runs a worker until it is done, dies or hangs. */
  run(work: (runtime: WorkerRuntime) => Promise<void>, script: Script): Promise<void>;
}

const TABLES = [
  'bill',
  'bill_note',
  'bill_import',
  'bill_import_row',
  'push_attempt',
  'provider_message',
  'payment',
  'payment_allocation',
  'refund_mark',
  'reversal_receipt',
  'reversal_request',
  'review',
  'reconciliation',
  'reconciliation_line',
  'bill_event',
  'receipt',
  'event_feed_entry',
  'receipt',
  'webhook_delivery',
  'webhook_attempt',
  'idempotency_key',
  'audit_entry',
];

export const VARIANTS: readonly Variant[] = ['signed', 'unsigned'];
/** Two numbers of each provider, and one that no provider serves. */
export const MOBILES = ['0744000001', '0684000001', '0744000002', '0684000002', '0624000001'] as const;
const NETWORKS: Readonly<Record<Variant, string>> = { signed: 'vodacom', unsigned: 'airtel' };

/** Sets the accounts up, in place of the one that the migrations make. */
export async function setStage(runtime: Runtime, merchants: readonly TestMerchant[]): Promise<Stage> {
  const { db } = runtime;
  await db.query({ text: "UPDATE provider_account SET networks = '{}'" });
  await db.query({ text: 'UPDATE merchant_profile SET partial_payments = true' });
  await db.query({ text: "UPDATE webhook_endpoint SET url = 'http://127.0.0.1:9/', updated_at = now() WHERE merchant_id = $1" }, [
    merchants[0]?.merchant.id,
  ]);
  const open = async (variant: Variant): Promise<ProviderAccount> => {
    const id = crypto.randomUUID();
    await db.query(
      {
        text: `INSERT INTO provider_account (id, environment, provider, label, networks, created_at) VALUES ($1, 'sandbox', $2, $3, $4, now())`,
      },
      [id, `fake-${variant}`, variant, [NETWORKS[variant]]],
    );
    const stored = await findAccountById(db, id);
    if (!stored) throw new Error('the account is not there');
    return openAccount(runtime, stored);
  };
  return { runtime, merchants, accounts: { signed: await open('signed'), unsigned: await open('unsigned') } };
}

/** Empties the database, but for merchants and accounts, and starts a world on it, with a clock of its own that never stands still. */
export async function createWorld(stage: Stage): Promise<World> {
  let now = Date.now() + 10 * SECOND_MS;
  const clock = () => {
    now += 1;
    return new Date(now);
  };
  const runtime: Runtime = { ...stage.runtime, clock };
  await emptyTables(runtime.db, TABLES);
  const provider = createFakeProvider(() => new Date(now));
  const heard: Heard = { answers: 0, words: new Set() };
  const hanging: Hanging[] = [];

  function script({ fate, word }: Script, hang: () => Promise<void>): WorkerRuntime {
    const call = { fate: FATES[fate % FATES.length] ?? 'answered', word, hang };
    const find = (name: string) => {
      const variant = VARIANTS.find((one) => name === `fake-${one}`);
      return variant && fakeAdapter(provider, heard, variant, call);
    };
    // No heartbeat beats in the model's time: a call that hangs is one whose worker is out of reach.
    return { ...runtime, heartbeatMs: DAY_MS, providers: { find } };
  }

  return {
    ...stage,
    runtime,
    provider,
    heard,
    hanging,
    held: [],
    callbacks: 0,
    contradicted: new Set(),
    learned: new Set(),
    told: new Set(),
    turnedAway: new Set(),
    books: await readBooks(runtime.db),
    advance(ms) {
      now += ms;
    },
    worker: (how) => script(how, () => Promise.resolve()),
    async run(work, how) {
      const hung: Hanging[] = [];
      const { promise: hangs, resolve: began } = Promise.withResolvers<void>();
      const hang = () =>
        new Promise<void>((resume) => {
          hung.push({ resume, task: Promise.resolve() });
          began();
        });
      const task = work(script(how, hang)).catch((error: unknown) => {
        if (!(error instanceof Crash)) throw error;
      });
      await Promise.race([task, hangs]);
      for (const call of hung) hanging.push({ ...call, task });
    },
  };
}
