import { createServer, request, type Server } from 'node:http';
import { afterAll, beforeAll } from 'vitest';
import type { Clock } from '@/lib/platform/core/clock';
import type { Network } from '@/lib/platform/core/network';
import type { CustomerPayment, InstrumentPayment, IssueFailure, SimulatedInstrument } from '@/lib/providers/kit/instruments';
import type { SimulatedPayout } from '@/lib/providers/kit/payouts';
import type { SimulationOptions } from '@/lib/providers/kit/simulation';
import type { PromptRequest, ProviderAccount, ProviderAdapter, RawCallback } from '@/lib/providers/port/port';
import { testReceiver } from '@/testing/fakes/receiver';
import type { Harness } from './contract';
import { random } from './samples';

interface Options {
  readonly adapter: ProviderAdapter;
  /** Starts the simulator. It sends its callbacks to the option `callbackUrl`. */
  readonly start: (options: SimulationOptions) => Promise<{
    readonly url: string;
    readonly credentials: object;
    readonly payouts?: readonly SimulatedPayout[];
    readonly instruments: readonly SimulatedInstrument[];
    control(change: { readonly failInstruments: IssueFailure[] }): void;
    payInstrument(payment: CustomerPayment): { readonly payment: InstrumentPayment } | { readonly refusal: string };
    stop(): Promise<void>;
  }>;
  /** Creates a forged callback that says that the prompt was paid: somebody other than the provider sends it. */
  readonly forge: (prompt: PromptRequest) => { readonly headers?: Readonly<Record<string, string>>; readonly body: string };
  readonly network?: Network;
  readonly clock?: Clock;
  /** See `Harness`. */
  readonly showsReversals?: boolean;
  readonly announcesPayouts?: boolean;
  readonly showsEnds?: boolean;
}

/** Starts a simulated provider for the contract suite. All its delays are a fiftieth of the real ones. */
export function simulatedHarness({
  adapter,
  start,
  forge,
  network = 'vodacom',
  clock = () => new Date(),
  showsReversals = true,
  announcesPayouts = false,
  showsEnds = true,
}: Options): () => Harness {
  const receiver = testReceiver();
  let simulator: Awaited<ReturnType<Options['start']>>;
  const recorder = startRecorder(() => simulator.url);
  beforeAll(async () => {
    simulator = await start({
      clock,
      random,
      callbackUrl: receiver.url('/callback'),
      delayFactor: 0.02,
    });
  });
  afterAll(() => simulator.stop());
  const accountAt = (url: string): ProviderAccount => ({
    id: '01890000-0000-7000-8000-000000000001',
    environment: 'sandbox',
    provider: adapter.name,
    networks: adapter.capabilities.networks,
    // Credentials can contain several addresses, because a provider may have several hosts. All these addresses begin with the URL of the
    // simulator.
    credentials: JSON.stringify(simulator.credentials).replaceAll(simulator.url, url),
    callbackUrl: receiver.url('/callback'),
  });
  return () => ({
    adapter,
    network,
    showsReversals,
    announcesPayouts,
    showsEnds,
    payouts: () => simulator.payouts ?? [],
    instruments: {
      failNext: (failure) => simulator.control({ failInstruments: [failure] }),
      pay(payment) {
        const paid = simulator.payInstrument(payment);
        return 'payment' in paid ? paid.payment : null;
      },
      issued: (reference) => simulator.instruments.filter((instrument) => instrument.reference === reference).length,
    },
    account: accountAt(simulator.url),
    recorded: { account: accountAt(recorder.url()), bodies: () => recorder.bodies },
    unreachable: { adapter, account: accountAt('http://127.0.0.1:9') },
    callbacks: () => receiver.received.map(({ headers, body }) => rawCallback(headers, body)),
    forge(prompt) {
      const { headers = {}, body } = forge(prompt);
      return rawCallback(headers, body);
    },
    // The simulator runs on its own timers, so there is nothing to trigger.
    tick: async () => undefined,
  });
}

function rawCallback(headers: Readonly<Record<string, string>>, body: string | Uint8Array): RawCallback {
  return { headers, body: new Uint8Array(Buffer.from(body)) };
}

/** Starts a server for a test file that records the bodies of requests and forwards them. */
export function startRecorder(target: () => string): { readonly bodies: readonly string[]; url(): string } {
  const bodies: string[] = [];
  const server: Server = createServer((sent, reply) => {
    const chunks: Buffer[] = [];
    sent.on('data', (chunk: Buffer) => chunks.push(chunk));
    sent.on('end', () => {
      const body = Buffer.concat(chunks);
      bodies.push(body.toString());
      const { method, headers } = sent;
      const forwarded = request(new URL(sent.url ?? '/', target()), { method, headers }, (answer) => {
        reply.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(reply);
      });
      forwarded.on('error', () => reply.destroy());
      forwarded.end(body);
    });
  });
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return {
    bodies,
    url() {
      const address = server.address();
      if (address === null || typeof address === 'string') throw new Error('the recorder starts with the first test');
      return `http://127.0.0.1:${address.port}`;
    },
  };
}
