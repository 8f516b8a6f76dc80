import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '@/lib/platform/core/ids';
import { encryptCredentials, insertAccount } from '@/lib/providers/accounts/account-store';
import { setRoute } from '@/lib/providers/accounts/manage-account';
import { startSnippeSimulator } from '@/lib/providers/snippe/simulator';
import { makeBill, TEST_OPERATOR } from '@/testing/runtime';
import type { Death } from './cases';
import { expectAllIsWell, type Movement } from './invariants';
import { drain, killWorker } from './settle';
import { SANDBOX_ACCOUNT, testWorld } from './world';

// @module-tag full
// The tests start and kill many processes, which takes time on a busy machine.
/** With this limit, two requests are allowed at once, and then one request every three seconds. */
const CALLS_PER_MINUTE = 20;
const HASTEN_MS = 200;

// Two accounts serve M-Pesa: Snippe is tried first, with a limit of requests, then the provider of the sandbox.
const world = testWorld(0.02);
let snippe: Awaited<ReturnType<typeof startSnippeSimulator>>;
const accounts = { reached: '', dead: '' };

beforeAll(async () => {
  const { clock, random } = world().runtime;
  snippe = await startSnippeSimulator({ clock, random, delayFactor: 0.02 });
  accounts.reached = await addSnippe(snippe.credentials);
  accounts.dead = await addSnippe({ ...snippe.credentials, baseUrl: 'http://127.0.0.1:9' });
});
afterAll(() => snippe.stop());

async function addSnippe(credentials: object): Promise<string> {
  const { runtime } = world();
  const id = newId(runtime);
  await insertAccount(runtime.db, {
    id,
    environment: 'sandbox',
    merchantId: null,
    provider: 'snippe',
    label: 'snippe',
    networks: ['vodacom'],
    encryptedCredentials: encryptCredentials(runtime, id, JSON.stringify(credentials)),
    callsPerMinute: CALLS_PER_MINUTE,
    createdAt: runtime.clock(),
  });
  return id;
}

/** Makes the status queries to Snippe due every 200 ms until `ended` is aborted, because these tests are not about time. */
async function hastenQueriesUntil(ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    await world().runtime.db.query(
      {
        text: `UPDATE push_attempt SET due_at = now() WHERE provider_account_id = ANY ($1::uuid[])
               AND state IN ('AWAITING_CUSTOMER', 'UNKNOWN') AND due_at > now() AND (lease_until IS NULL OR lease_until < now())`,
      },
      [[accounts.reached, accounts.dead]],
    );
    await delay(HASTEN_MS);
  }
}

/** The payments that Snippe has recorded. Amounts in senti. */
const paidToSnippe = (): Movement[] =>
  snippe.payments
    .filter(({ behaviour }) => behaviour.steps.some(({ ending }) => ending === 'paid'))
    .map(({ id, amount }) => ({ kind: 'payment', receipt: id, amount: BigInt(amount) * 100n }));

interface Case {
  readonly what: string;
  readonly first: 'works' | 'refuses' | 'dead';
  readonly phone: string;
  readonly deaths: readonly Death[];
  /** The provider that has accepted the request for the prompt in the end. */
  readonly asked: 'snippe' | 'sandbox' | 'nobody';
}

const CASES: readonly Case[] = [
  {
    what: 'while it leaves an account that refuses the merchant',
    first: 'refuses',
    phone: '007',
    deaths: ['bookings.committed', 'attempt.assigned', 'attempt.held', 'attempt.answer_stored'],
    asked: 'sandbox',
  },
  {
    what: 'before it applies that an account refuses the merchant: its recovery cannot know that nothing was sent',
    first: 'refuses',
    phone: '007',
    deaths: ['attempt.answer_stored'],
    asked: 'nobody',
  },
  {
    what: 'while it leaves an account that cannot be reached',
    first: 'dead',
    phone: '007',
    deaths: ['bookings.committed', 'attempt.called'],
    asked: 'sandbox',
  },
  {
    what: 'when it has called the first account, whose answer is lost with it',
    first: 'works',
    phone: '007',
    deaths: ['attempt.called', 'attempt.held', 'attempt.called', 'attempt.answer_stored'],
    asked: 'snippe',
  },
  {
    what: 'after the first account lost the answer',
    first: 'works',
    phone: '010',
    deaths: ['attempt.answer_stored', 'bookings.committed', 'attempt.held'],
    asked: 'snippe',
  },
  {
    what: "while it applies the customer's own refusal",
    first: 'works',
    phone: '006',
    deaths: ['attempt.answer_stored', 'bookings.written'],
    asked: 'nobody',
  },
];

test.each(CASES)('a worker killed $what: one account has the prompt', async ({ first, phone, deaths, asked }) => {
  const { runtime, merchant } = world();
  const accountIds = [first === 'dead' ? accounts.dead : accounts.reached, SANDBOX_ACCOUNT];
  const order = { environment: 'sandbox', merchantId: null, network: 'vodacom', accountIds, actor: TEST_OPERATOR } as const;
  expect(await setRoute(runtime, order)).toEqual({ ok: true, value: null });
  await runtime.db.query({ text: 'UPDATE provider_account SET avoid_until = NULL, refusals = 0' });
  snippe.control({ suspended: first === 'refuses' });
  const billId = await makeBill(runtime, merchant, { mobile: `0754000${phone}` });

  const ended = new AbortController();
  const hastened = hastenQueriesUntil(ended.signal);
  try {
    for (const death of deaths) await killWorker(world(), death);
    const worker = await world().start('worker');
    await drain(world(), { callbacks: false });
    await worker.kill('SIGTERM');
  } finally {
    ended.abort();
    await hastened;
  }

  const [attempt] = await runtime.db.query<{ our_reference: string }>(
    { text: 'SELECT our_reference FROM push_attempt WHERE bill_id = $1' },
    [billId],
  );
  const reference = attempt?.our_reference ?? '';
  const bySnippe = snippe.payments.some((payment) => payment.reference === reference);
  const [bySandbox] = await runtime.db.query({ text: 'SELECT 1 FROM sandbox_prompt WHERE reference = $1' }, [reference]);
  expect({ bySnippe, bySandbox: bySandbox !== undefined }).toEqual({ bySnippe: asked === 'snippe', bySandbox: asked === 'sandbox' });
  const [bill] = await runtime.db.query<{ status: string }>({ text: 'SELECT status FROM bill WHERE id = $1' }, [billId]);
  expect(bill?.status).toBe(asked === 'nobody' ? 'NOT_PAID' : 'FULLY_PAID');
  // After a worker was killed, the status query comes later than the simulator demands, so this complaint does not count.
  expect(snippe.complaints.filter(({ rule }) => rule !== 'paid_not_noticed')).toEqual([]);
  await expectAllIsWell(world(), paidToSnippe());
});
