import { afterEach, beforeEach, expect, test } from 'vitest';
import { claimAttempts } from '@/lib/gateway/attempts/claim-attempts';
import { workAttempt } from '@/lib/gateway/attempts/work-attempt';
import { addMs, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { newId } from '@/lib/platform/core/ids';
import { encryptCredentials, insertAccount } from '@/lib/providers/accounts/account-store';
import { type Behaviour, behaviourOf } from '@/lib/providers/kit/behaviours';
import { createRegistry } from '@/lib/providers/registry';
import { startSelcomSimulator } from '@/lib/providers/selcom/simulator';
import { makeBill, makeMerchant, testRuntime } from '@/testing/runtime';
import { listAttempts } from './store';

// Selcom needs two calls for a prompt: one creates an order, the other sends the prompt for it.
const runtime = testRuntime({ SANDBOX_BASE_URL: 'http://127.0.0.1:9' });
/** The answer to the request for the prompt is lost, and status queries do not find the order for a long time. */
const HIDDEN: Behaviour = { steps: [], answer: 'cut', hiddenMs: 60 * MINUTE_MS };
let simulator: Awaited<ReturnType<typeof startSelcomSimulator>>;
let billId: string;

beforeEach(async () => {
  const { db, clock, random } = runtime();
  await db.query({ text: 'UPDATE provider_account SET disabled_at = $1 WHERE disabled_at IS NULL' }, [clock()]);
  await db.query({ text: 'UPDATE push_attempt SET due_at = NULL' });
  simulator = await startSelcomSimulator({
    clock,
    random,
    chooseBehaviour: (mobile) => (mobile.endsWith('099') ? HIDDEN : behaviourOf(mobile)),
  });
  const id = newId(runtime());
  await insertAccount(db, {
    id,
    environment: 'sandbox',
    merchantId: null,
    provider: 'selcom',
    label: 'selcom',
    networks: ['vodacom'],
    encryptedCredentials: encryptCredentials(runtime(), id, JSON.stringify(simulator.credentials)),
    createdAt: clock(),
  });
});
afterEach(() => simulator.stop());

async function bill(ends: string): Promise<void> {
  billId = await makeBill(runtime(), await makeMerchant(runtime()), { mobile: `0754000${ends}` });
}

/** Does the due work. Returns the attempt of the bill. */
async function work() {
  const worker = { ...runtime(), providers: createRegistry(runtime(), null) };
  const { db, clock } = runtime();
  for (const attempt of await claimAttempts(db, { now: clock(), leaseUntil: addMs(clock(), MINUTE_MS), limit: 10 }))
    await workAttempt(worker, attempt, new AbortController().signal);
  const [attempt] = await listAttempts(db, billId);
  if (!attempt) throw new Error('the bill has no attempt');
  return attempt;
}

const prompts = (reference: string) => simulator.payments.filter((payment) => payment.reference === reference);

test.each([
  ['is lost', 'cut'],
  ['is a page of a gateway', { status: 502, body: '<html></html>' }],
] as const)('if the answer about the order %s, the customer gets the prompt by the next sending', async (_name, reply) => {
  await bill('001');
  simulator.replaceOrderAnswers(reply);
  const first = await work();
  expect(first).toMatchObject({ state: 'QUEUED', answerLostAt: null, acknowledgedAt: null });
  expect(prompts(first.ourReference)).toHaveLength(0);
  runtime().advance(10 * SECOND_MS);
  expect(await work()).toMatchObject({ state: 'AWAITING_CUSTOMER', ourReference: first.ourReference });
  expect(prompts(first.ourReference)).toHaveLength(1);
});

test('if the answer about the prompt is lost, the prompt is not sent again, even if no status query finds it', async () => {
  await bill('099');
  const lost = await work();
  expect(lost).toMatchObject({ state: 'UNKNOWN', acknowledgedAt: null });
  expect(prompts(lost.ourReference)).toHaveLength(1);
  runtime().advance(4 * MINUTE_MS);
  expect(await work()).toMatchObject({ state: 'QUEUED' });
  runtime().advance(MINUTE_MS);
  const known = await work();
  expect(known).toMatchObject({ state: 'UNKNOWN', sendCount: 2 });
  expect(known.acknowledgedAt).not.toBeNull();
  expect(prompts(lost.ourReference)).toHaveLength(1);
});

test('a prompt whose answer was lost is not repeated more than ten minutes after it was requested, even if its account was busy', async () => {
  await bill('099');
  await work();
  runtime().advance(4 * MINUTE_MS);
  expect(await work()).toMatchObject({ state: 'QUEUED' });
  const sent = simulator.payments.length;
  simulator.replaceOrderAnswers({ status: 500, body: '' });
  runtime().advance(7 * MINUTE_MS);
  expect(await work()).toMatchObject({ state: 'UNKNOWN', sendCount: 2, acknowledgedAt: null });
  expect(simulator.payments).toHaveLength(sent);
});

test('if the answer about the prompt is lost, a later refusal of the order is no failure, whatever its words', async () => {
  await bill('099');
  const lost = await work();
  runtime().advance(4 * MINUTE_MS);
  expect(await work()).toMatchObject({ state: 'QUEUED' });
  simulator.replaceOrderAnswers({ status: 200, body: { resultcode: '651', result: 'FAIL', message: 'Order cannot be processed' } });
  runtime().advance(MINUTE_MS);
  expect(await work()).toMatchObject({ state: 'UNKNOWN', failureReason: null, sendCount: 2 });
  expect(prompts(lost.ourReference)).toHaveLength(1);
});

test('an order whose answer was lost gets no prompt if a callback claims that it is paid', async () => {
  await bill('001');
  simulator.replaceOrderAnswers('cut');
  const first = await work();
  const { db, clock } = runtime();
  await db.query({ text: 'UPDATE push_attempt SET claimed_paid_at = $1 WHERE bill_id = $2' }, [clock(), billId]);
  runtime().advance(10 * SECOND_MS);
  expect(await work()).toMatchObject({ state: 'UNKNOWN', sendCount: 2 });
  expect(prompts(first.ourReference)).toHaveLength(0);
});
