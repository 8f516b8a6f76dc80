import { afterAll, beforeAll } from 'vitest';
import { type Matrix, SCENARIO_AMOUNT, simulation } from '@/lib/providers/kit/scenarios';
import type { ProviderAccount, ProviderAdapter } from '@/lib/providers/port/port';
import { payInstrument } from '@/lib/providers/scenarios/instrument-store';
import { testReceiver } from '@/testing/fakes/receiver';
import { describeAdapter } from '@/testing/providers/contract';
import { testRuntime } from '@/testing/runtime';
import { createSandboxAdapter } from './adapter';
import { type Simulator, startSimulator } from './simulator';
import { SIGNATURE_HEADER } from './wire';

const paid = { kind: 'paid', amount: SCENARIO_AMOUNT } as const;
const accepted = { kind: 'accepted' } as const;
const simulate = simulation('0712345');
const unavailable = 'the simulated provider never gives a wrong answer';

/** What the adapter reports in each scenario. The contract test checks this table against the simulator. */
const SANDBOX_MATRIX: Matrix = {
  paid: simulate('001', accepted, [paid], 1),
  'paid, and no callback comes': simulate('007', accepted, [paid], 0),
  'paid, and the callback comes before the answer': simulate('012', accepted, [paid], 1),
  'paid, and the callback comes twice': simulate('008', accepted, [paid], 2),
  'partly paid': simulate('009', accepted, [{ kind: 'paid', amount: 250_100n }], 1),
  cancelled: simulate('002', accepted, [{ kind: 'failed', reason: 'user_cancelled' }], 1),
  'wrong PIN': simulate('003', accepted, [{ kind: 'failed', reason: 'wrong_pin' }], 1),
  'insufficient balance': simulate('004', accepted, [{ kind: 'failed', reason: 'insufficient_funds' }], 1),
  'insufficient balance, reported as an internal error': 'the simulated provider reports the real reason',
  'limit exceeded': 'its wallets refuse by the amount, not by the number',
  'number not registered': simulate('006', { kind: 'failed', reason: 'mobile_not_registered' }, [], 0),
  'the customer does not answer': simulate('005', accepted, [{ kind: 'expired' }], 1),
  'paid after it expired': simulate('011', accepted, [{ kind: 'expired' }, paid], 2),
  'paid after nearly three minutes': 'its prompts expire earlier',
  'paid, and the answer is lost': simulate('010', { kind: 'unknown' }, [paid], 1),
  'the request is lost': unavailable,
  'a gateway error': unavailable,
  'an answer that is not JSON': unavailable,
  'rejected before it is recorded': simulate('013', { kind: 'not_sent' }, [{ kind: 'not_found' }], 0),
  'not found by the first status queries, then paid': 'its status queries find a prompt immediately',
  'paid, then reversed': 'it reverses payments only on request',
};

const runtime = testRuntime({ SANDBOX_BASE_URL: 'https://sandbox.example' });
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

describeAdapter('sandbox', SANDBOX_MATRIX, () => {
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
    recorded: null,
    unreachable: { adapter: unreachable, account },
    payouts: async () => {
      const made = await runtime().db.prisma.sandboxRefund.findMany({ where: { promptReference: null } });
      return made.map(({ reference, amount }) => ({ reference, amount: Number(amount) }));
    },
    instruments: {
      // The amount of a request decides whether it fails (instruments.test.ts).
      failNext: null,
      async pay({ number, amount, callback, underWay }) {
        const instrument = await runtime().db.prisma.sandboxInstrument.findFirst({ where: { number: number ?? '' } });
        if (!instrument) return null;
        const digits = underWay ? '011' : callback === 'twice' ? '008' : callback ? '001' : '007';
        const payment = { mobile: `255712345${digits}`, amount: amount === undefined ? instrument.amount : BigInt(amount) };
        const paid = await payInstrument(runtime(), instrument.reference, payment);
        return paid.ok ? { receipt: paid.value, amount: Number(payment.amount) } : null;
      },
      issued: (reference) => runtime().db.prisma.sandboxInstrument.count({ where: { reference } }),
    },
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
