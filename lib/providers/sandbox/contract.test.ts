import { afterAll, beforeAll } from 'vitest';
import type { ProviderAccount, ProviderAdapter } from '@/lib/providers/port/port';
import { testReceiver } from '@/lib/testing/fakes/receiver';
import { describeAdapter } from '@/lib/testing/providers/contract';
import type { Matrix } from '@/lib/testing/providers/scenarios';
import { testRuntime } from '@/lib/testing/runtime';
import { createSandboxAdapter } from './adapter';
import { type Simulator, startSimulator } from './simulator';
import { SIGNATURE_HEADER } from './wire';

const paid = { kind: 'paid', amount: 500_100n } as const;
const accepted = { kind: 'accepted' } as const;
const unavailable = 'the simulated provider never gives a wrong answer';

const MATRIX: Matrix = {
  paid: { mobile: '0712345001', answer: accepted, found: [paid], callbacks: 1 },
  'paid, and no callback comes': { mobile: '0712345007', answer: accepted, found: [paid], callbacks: 0 },
  'paid, and the callback comes before the answer': { mobile: '0712345012', answer: accepted, found: [paid], callbacks: 1 },
  'paid, and the callback comes twice': { mobile: '0712345008', answer: accepted, found: [paid], callbacks: 2 },
  'partly paid': { mobile: '0712345009', answer: accepted, found: [{ kind: 'paid', amount: 250_100n }], callbacks: 1 },
  cancelled: { mobile: '0712345002', answer: accepted, found: [{ kind: 'failed', reason: 'user_cancelled' }], callbacks: 1 },
  'wrong PIN': { mobile: '0712345003', answer: accepted, found: [{ kind: 'failed', reason: 'wrong_pin' }], callbacks: 1 },
  'insufficient balance': {
    mobile: '0712345004',
    answer: accepted,
    found: [{ kind: 'failed', reason: 'insufficient_funds' }],
    callbacks: 1,
  },
  'insufficient balance, reported as an internal error': 'the simulated provider reports the real reason',
  'limit exceeded': 'its wallets have no limits',
  'number not registered': { mobile: '0712345006', answer: { kind: 'failed', reason: 'mobile_not_registered' }, found: [], callbacks: 0 },
  'the customer does not answer': { mobile: '0712345005', answer: accepted, found: [{ kind: 'expired' }], callbacks: 1 },
  'paid after it expired': { mobile: '0712345011', answer: accepted, found: [{ kind: 'expired' }, paid], callbacks: 2 },
  'paid after nearly three minutes': 'its prompts expire earlier',
  'paid, and the answer is lost': { mobile: '0712345010', answer: { kind: 'unknown' }, found: [paid], callbacks: 1 },
  'the request is lost': unavailable,
  'a gateway error': unavailable,
  'an answer that is not JSON': unavailable,
  'rejected before it is recorded': { mobile: '0712345013', answer: { kind: 'not_sent' }, found: [{ kind: 'not_found' }], callbacks: 0 },
  'not found by the first status queries, then paid': 'its status queries find a prompt immediately',
  'paid, then reversed': 'it reverses payments only on request',
};

const runtime = testRuntime();
const receiver = testReceiver();
let simulator: Simulator;
let adapter: ProviderAdapter;
let unreachable: ProviderAdapter;
beforeAll(async () => {
  const callbackKey = runtime().secrets.key('sandbox-provider');
  simulator = await startSimulator({ ...runtime(), callbackKey });
  adapter = createSandboxAdapter({ url: simulator.url, callbackKey, delayFactor: 1 });
  unreachable = createSandboxAdapter({ url: 'http://127.0.0.1:9', callbackKey, delayFactor: 1 });
});
afterAll(() => simulator.stop());

describeAdapter('sandbox', MATRIX, () => {
  const account: ProviderAccount = {
    id: 'account',
    environment: 'sandbox',
    provider: 'sandbox',
    networks: ['vodacom'],
    credentials: null,
    callbackUrl: receiver.url('/callback'),
  };
  return {
    adapter,
    account,
    unreachable: { adapter: unreachable, account },
    callbacks: () => receiver.received.map(({ headers, body }) => ({ headers, body: new Uint8Array(Buffer.from(body)) })),
    forge: ({ reference }) => ({
      headers: { [SIGNATURE_HEADER]: 'ab'.repeat(32) },
      body: new Uint8Array(Buffer.from(JSON.stringify({ reference, status: 'PAID', receipt: 'FORGED', amount: 5001 }))),
    }),
    async tick() {
      runtime().advance(6_000);
      await simulator.announceDue(100);
    },
  };
});
