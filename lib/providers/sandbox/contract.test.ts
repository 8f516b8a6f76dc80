import { afterAll, beforeAll } from 'vitest';
import type { ProviderAccount, ProviderAdapter } from '@/lib/providers/port/port';
import { testReceiver } from '@/lib/testing/fakes/receiver';
import { describeAdapter } from '@/lib/testing/providers/contract';
import { testRuntime } from '@/lib/testing/runtime';
import { createSandboxAdapter } from './adapter';
import { SANDBOX_MATRIX } from './matrix';
import { type Simulator, startSimulator } from './simulator';
import { SIGNATURE_HEADER } from './wire';

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
