import { afterAll, beforeAll } from 'vitest';
import type { ProviderAccount, ProviderAdapter } from '@/lib/providers/port/port';
import { createSessionStore } from '@/lib/providers/port/session-store';
import { testReceiver } from '@/lib/testing/fakes/receiver';
import { describeAdapter, type Harness } from '@/lib/testing/providers/contract';
import type { Matrix, Simulation } from '@/lib/testing/providers/scenarios';
import { makeAccount, testRuntime } from '@/lib/testing/runtime';
import { createMpesaAdapter } from './adapter';
import { type MpesaSimulator, startMpesaSimulator } from './simulator';

const runtime = testRuntime();
const paid = { kind: 'paid', amount: 500_100n } as const;
const reversed = { kind: 'reversed', amount: 500_100n } as const;
const accepted = { kind: 'accepted' } as const;
const unknown = { kind: 'unknown' } as const;
const rejected = { kind: 'failed', reason: 'rejected' } as const;
const insufficient = { kind: 'failed', reason: 'insufficient_funds' } as const;
const cancelled = { kind: 'failed', reason: 'user_cancelled' } as const;
const expired = { kind: 'expired' } as const;

const simulate = (ending: string, answer: Simulation['answer'], found: Simulation['found'], callbacks = 0): Simulation => ({
  mobile: `0754000${ending}`,
  answer,
  found,
  callbacks,
});

/** Scenarios with the same result in both modes. */
const COMMON = {
  'partly paid': 'M-Pesa moves the whole requested amount or nothing',
  'limit exceeded': simulate('015', { kind: 'failed', reason: 'limit_exceeded' }, []),
  'number not registered': simulate('006', { kind: 'failed', reason: 'mobile_not_registered' }, []),
  'the request is lost': simulate('017', unknown, [{ kind: 'not_found' }]),
  'a gateway error': simulate('018', unknown, [{ kind: 'not_found' }]),
  'rejected before it is recorded': simulate('013', { kind: 'not_sent' }, [{ kind: 'not_found' }]),
} satisfies Partial<Matrix>;

// A status query reports a failure without its reason. Only synchronous answers contain reasons.
const ASYNC: Matrix = {
  ...COMMON,
  paid: simulate('001', accepted, [paid], 1),
  'paid, and no callback comes': simulate('007', accepted, [paid]),
  'paid, and the callback comes before the answer': simulate('012', accepted, [paid], 1),
  'paid, and the callback comes twice': simulate('008', accepted, [paid], 2),
  cancelled: simulate('002', accepted, [cancelled], 1),
  'wrong PIN': simulate('003', accepted, [rejected], 1),
  'insufficient balance': simulate('004', accepted, [rejected], 1),
  'insufficient balance, reported as an internal error': simulate('014', accepted, [rejected], 1),
  'the customer does not answer': simulate('005', accepted, [expired], 1),
  'paid after it expired': simulate('011', accepted, [expired, paid], 2),
  'paid after nearly three minutes': simulate('021', accepted, [paid], 1),
  'paid, and the answer is lost': simulate('010', unknown, [paid], 1),
  'an answer that is not JSON': simulate('019', unknown, [paid], 1),
  'not found by the first status queries, then paid': simulate('016', accepted, [{ kind: 'not_found' }, paid]),
  'paid, then reversed': simulate('020', accepted, [paid, reversed], 1),
};

const noCallback = 'synchronous mode has no callbacks';
const SYNC: Matrix = {
  ...COMMON,
  paid: simulate('001', paid, [paid]),
  'paid, and no callback comes': noCallback,
  'paid, and the callback comes before the answer': noCallback,
  'paid, and the callback comes twice': noCallback,
  cancelled: simulate('002', rejected, [cancelled]),
  'wrong PIN': simulate('003', rejected, [rejected]),
  'insufficient balance': simulate('004', insufficient, [rejected]),
  'insufficient balance, reported as an internal error': simulate('014', unknown, [rejected]),
  'the customer does not answer': simulate('005', unknown, [expired]),
  'paid after it expired': simulate('011', unknown, [expired, paid]),
  'paid after nearly three minutes': simulate('021', paid, [paid]),
  'paid, and the answer is lost': simulate('010', unknown, [paid]),
  'an answer that is not JSON': simulate('019', unknown, [paid]),
  'not found by the first status queries, then paid': simulate('016', paid, [{ kind: 'not_found' }, paid]),
  'paid, then reversed': simulate('020', paid, [paid, reversed]),
};

describeAdapter('mpesa, asynchronous', ASYNC, testMpesa('async'));
describeAdapter('mpesa, synchronous', SYNC, testMpesa('sync'));

function testMpesa(mode: 'sync' | 'async'): () => Harness {
  const receiver = testReceiver();
  let simulator: MpesaSimulator;
  let adapter: ProviderAdapter;
  let account: ProviderAccount;
  let unreachable: ProviderAccount;
  beforeAll(async () => {
    const { clock, random } = runtime();
    const callbackUrl = receiver.url('/callback');
    simulator = await startMpesaSimulator({ clock, random, mode, callbackUrl, delayFactor: 0.02, keyBits: 2048 });
    adapter = createMpesaAdapter({ clock, random, sessions: createSessionStore(runtime()) });
    const accountAt = (baseUrl: string) =>
      makeAccount(runtime(), { provider: 'mpesa', callbackUrl, credentials: JSON.stringify({ ...simulator.credentials, baseUrl }) });
    account = await accountAt(simulator.url);
    unreachable = await accountAt('http://127.0.0.1:9');
  });
  afterAll(() => simulator.stop());
  return () => ({
    adapter,
    account,
    unreachable: { adapter, account: unreachable },
    callbacks: () => receiver.received.map(({ headers, body }) => ({ headers, body: new Uint8Array(Buffer.from(body)) })),
    forge: ({ reference }) => ({
      headers: {},
      body: new Uint8Array(
        Buffer.from(
          JSON.stringify({
            input_OriginalConversationID: 'forged',
            input_TransactionID: 'FORGED',
            input_ResultCode: 'INS-0',
            input_ResultDesc: 'ok',
            input_ThirdPartyConversationID: reference,
          }),
        ),
      ),
    }),
    // The simulator has timers of its own.
    tick: async () => undefined,
  });
}
