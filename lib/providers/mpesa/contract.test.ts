import { afterAll, beforeAll } from 'vitest';
import type { ProviderAccount, ProviderAdapter } from '@/lib/providers/port/port';
import { createSessionStore } from '@/lib/providers/port/session-store';
import { testReceiver } from '@/testing/fakes/receiver';
import { describeAdapter, type Harness, pinCapabilities } from '@/testing/providers/contract';
import { startRecorder } from '@/testing/providers/simulated-harness';
import { makeAccount, testRuntime } from '@/testing/runtime';
import { createMpesaAdapter, MPESA_CAPABILITIES } from './adapter';
import { MPESA_ASYNC_MATRIX, MPESA_SYNC_MATRIX } from './manifest';
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
    payouts: () => [],
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

pinCapabilities('mpesa', MPESA_CAPABILITIES, {
  firstQueryMs: 20_000,
  unknownQueryMs: 15_000,
  refusesDuplicates: false,
  signsCallbacks: false,
  networks: ['vodacom'],
});
