import { afterAll, beforeAll } from 'vitest';
import type { ProviderAccount, ProviderAdapter } from '@/lib/providers/port/port';
import { createSessionStore } from '@/lib/providers/port/session-store';
import { testReceiver } from '@/lib/testing/fakes/receiver';
import { describeAdapter, type Harness } from '@/lib/testing/providers/contract';
import { startRecorder } from '@/lib/testing/providers/simulated-harness';
import { makeAccount, testRuntime } from '@/lib/testing/runtime';
import { createMpesaAdapter } from './adapter';
import { MPESA_ASYNC_MATRIX, MPESA_SYNC_MATRIX } from './matrix';
import { type MpesaSimulator, startMpesaSimulator } from './simulator';

const runtime = testRuntime();
describeAdapter('mpesa, asynchronous', MPESA_ASYNC_MATRIX, testMpesa('async'));
describeAdapter('mpesa, synchronous', MPESA_SYNC_MATRIX, testMpesa('sync'));

function testMpesa(mode: 'sync' | 'async'): () => Harness {
  const receiver = testReceiver();
  let simulator: MpesaSimulator;
  let adapter: ProviderAdapter;
  let account: ProviderAccount;
  let unreachable: ProviderAccount;
  let recorded: ProviderAccount;
  const recorder = startRecorder(() => simulator.url);
  beforeAll(async () => {
    const { clock, random } = runtime();
    const callbackUrl = receiver.url('/callback');
    simulator = await startMpesaSimulator({ clock, random, mode, callbackUrl, delayFactor: 0.02, keyBits: 2048 });
    adapter = createMpesaAdapter({ clock, random, sessions: createSessionStore(runtime()) });
    const accountAt = (baseUrl: string) =>
      makeAccount(runtime(), { provider: 'mpesa', callbackUrl, credentials: JSON.stringify({ ...simulator.credentials, baseUrl }) });
    account = await accountAt(simulator.url);
    unreachable = await accountAt('http://127.0.0.1:9');
    recorded = await accountAt(recorder.url());
  });
  afterAll(() => simulator.stop());
  return () => ({
    adapter,
    account,
    recorded: { account: recorded, bodies: () => recorder.bodies },
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
    // The simulator runs on its own timers, so there is nothing to trigger.
    tick: async () => undefined,
  });
}
