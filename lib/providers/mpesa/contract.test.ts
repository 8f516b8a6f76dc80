import { afterAll, beforeAll } from 'vitest';
import type { ProviderAccount, ProviderAdapter } from '@/lib/providers/port/port';
import { createSessionStore } from '@/lib/providers/port/session-store';
import { testReceiver } from '@/lib/testing/fakes/receiver';
import { makeAccount, testRuntime } from '@/lib/testing/runtime';
import { describeAdapter, type Harness } from '../contract';
import type { Matrix, Shown } from '../scenarios';
import { createMpesaAdapter } from './adapter';
import { type MpesaSimulator, startMpesaSimulator } from './simulator';

const runtime = testRuntime();
const paid = { kind: 'paid', amount: 500_100n } as const;
const reversed = { kind: 'reversed', amount: 500_100n } as const;
const accepted = { kind: 'accepted' } as const;
const unknown = { kind: 'unknown' } as const;
const rejected = { kind: 'failed', reason: 'rejected' } as const;
const poor = { kind: 'failed', reason: 'insufficient_funds' } as const;
const cancelled = { kind: 'failed', reason: 'user_cancelled' } as const;
const expired = { kind: 'expired' } as const;

const shown = (ends: string, answer: Shown['answer'], found: Shown['found'], callbacks = 0): Shown => ({
  mobile: `0754000${ends}`,
  answer,
  found,
  callbacks,
});

/** What the mode makes no difference to. */
const COMMON = {
  'paid in part': 'it moves all that was asked for, or nothing',
  'over a limit': shown('015', { kind: 'failed', reason: 'limit_exceeded' }, []),
  'not a customer': shown('006', { kind: 'failed', reason: 'mobile_not_registered' }, []),
  'lost on the way': shown('017', unknown, [{ kind: 'not_found' }]),
  'a broken gateway in between': shown('018', unknown, [{ kind: 'not_found' }]),
  'turned away at the door': shown('013', { kind: 'not_sent' }, [{ kind: 'not_found' }]),
} satisfies Partial<Matrix>;

// A status query says that it failed, not why: reasons come with synchronous answers alone.
const ASYNC: Matrix = {
  ...COMMON,
  paid: shown('001', accepted, [paid], 1),
  'paid, and no callback comes': shown('007', accepted, [paid]),
  'paid, and the callback comes before the answer': shown('012', accepted, [paid], 1),
  'paid, and the callback comes twice': shown('008', accepted, [paid], 2),
  cancelled: shown('002', accepted, [cancelled], 1),
  'wrong PIN': shown('003', accepted, [rejected], 1),
  'not enough money': shown('004', accepted, [rejected], 1),
  'not enough money, told as an internal error': shown('014', accepted, [rejected], 1),
  'nobody answers the prompt': shown('005', accepted, [expired], 1),
  'paid after it expired': shown('011', accepted, [expired, paid], 2),
  'paid after nearly three minutes': shown('021', accepted, [paid], 1),
  'paid, and the answer is lost': shown('010', unknown, [paid], 1),
  'an answer that is no JSON': shown('019', unknown, [paid], 1),
  'unknown to status queries at first, then paid': shown('016', accepted, [{ kind: 'not_found' }, paid]),
  'paid, then reversed': shown('020', accepted, [paid, reversed], 1),
};

const silent = 'in synchronous mode nobody calls back';
const SYNC: Matrix = {
  ...COMMON,
  paid: shown('001', paid, [paid]),
  'paid, and no callback comes': silent,
  'paid, and the callback comes before the answer': silent,
  'paid, and the callback comes twice': silent,
  cancelled: shown('002', rejected, [cancelled]),
  'wrong PIN': shown('003', rejected, [rejected]),
  'not enough money': shown('004', poor, [rejected]),
  'not enough money, told as an internal error': shown('014', unknown, [rejected]),
  'nobody answers the prompt': shown('005', unknown, [expired]),
  'paid after it expired': shown('011', unknown, [expired, paid]),
  'paid after nearly three minutes': shown('021', paid, [paid]),
  'paid, and the answer is lost': shown('010', unknown, [paid]),
  'an answer that is no JSON': shown('019', unknown, [paid]),
  'unknown to status queries at first, then paid': shown('016', paid, [{ kind: 'not_found' }, paid]),
  'paid, then reversed': shown('020', paid, [paid, reversed]),
};

describeAdapter('mpesa, asynchronous', ASYNC, testMpesa('async'));
describeAdapter('mpesa, synchronous', SYNC, testMpesa('sync'));

function testMpesa(mode: 'sync' | 'async'): () => Harness {
  const receiver = testReceiver();
  let simulator: MpesaSimulator;
  let adapter: ProviderAdapter;
  let account: ProviderAccount;
  let nobody: ProviderAccount;
  beforeAll(async () => {
    const { clock, random } = runtime();
    const callbackUrl = receiver.url('/callback');
    simulator = await startMpesaSimulator({ clock, random, mode, callbackUrl, delayFactor: 0.02, keyBits: 2048 });
    adapter = createMpesaAdapter({ clock, random, sessions: createSessionStore(runtime()) });
    const at = (baseUrl: string) =>
      makeAccount(runtime(), { provider: 'mpesa', callbackUrl, credentials: JSON.stringify({ ...simulator.credentials, baseUrl }) });
    account = await at(simulator.url);
    nobody = await at('http://127.0.0.1:9');
  });
  afterAll(() => simulator.stop());
  return () => ({
    adapter,
    account,
    unreachable: { adapter, account: nobody },
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
    // Its own timers do what is due.
    tick: async () => undefined,
  });
}
