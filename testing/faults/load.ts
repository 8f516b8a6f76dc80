import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { KeyPair } from '@/lib/identity/keys/rules';

const TRY_TIMEOUT_MS = 10_000;
/** The first pause before a request is repeated. Each further pause is twice as long, so that many waiting clients do not use up the machine. */
const RETRY_MS = 250;
const RETRY_MAX_MS = 4_000;
/** A client repeats the request for a bill for at most this time. A bill that is not acknowledged by then fails the scenario. */
const PATIENCE_MS = 120_000;
const AMOUNT = 5_000;
/**
 * The last three digits of the customers' numbers. The simulator reports the payment normally (001), without a callback (007), with its
 * answer cut off (010), or by a callback before its answer (012).
 */
const BEHAVIOURS = ['001', '001', '001', '007', '010', '012'];

export interface LoadOptions {
  /** Sandbox base addresses of the web processes, used in turn. */
  readonly origins: readonly string[];
  readonly key: KeyPair;
  readonly perSecond: number;
}

/** What the clients observed. */
export interface Seen {
  /** Ids of acknowledged bills by reference. */
  readonly acknowledged: ReadonlyMap<string, string>;
  /** The number of answers by status, or by network error. */
  readonly answers: ReadonlyMap<string, number>;
  /** References of the bills that were not acknowledged in time. */
  readonly abandoned: readonly string[];
  /** The longest time in which no client got an acknowledgement, milliseconds. */
  readonly longestGapMs: number;
}

export interface Load {
  readonly seen: Seen;
  /** The time of the last acknowledgement, on performance.now()'s clock. */
  lastAcknowledged(): number;
  /** Stops new requests and waits for running ones. */
  stop(): Promise<Seen>;
  /** Stops all requests, also running ones. For a scenario that could not be completed. */
  abort(): void;
}

/** Creates bills at a constant rate. Each request has an Idempotency-Key and is repeated until the bill is acknowledged. */
export function startLoad({ origins, key, perSecond }: LoadOptions): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: 200 });
  const stopping = new AbortController();
  let aborted = false;
  const acknowledged = new Map<string, string>();
  const answers = new Map<string, number>();
  const abandoned: string[] = [];
  let longestGapMs = 0;
  let last = performance.now();
  const count = (name: string) => answers.set(name, (answers.get(name) ?? 0) + 1);

  async function create(index: number): Promise<void> {
    const reference = `FAULT-${index}`;
    const mobile = `0754${String(index % 1_000).padStart(3, '0')}${BEHAVIOURS[index % BEHAVIOURS.length]}`;
    const body = JSON.stringify({ amount: AMOUNT, reference, mobile });
    const deadline = performance.now() + PATIENCE_MS;
    for (let turn = index; performance.now() < deadline && !aborted; turn += 1) {
      const answer = await send(agent, `${origins[turn % origins.length]}/api/v3/bills/create`, key, reference, body);
      count(answer.name);
      if (answer.id !== null) {
        const now = performance.now();
        longestGapMs = Math.max(longestGapMs, now - last);
        last = now;
        acknowledged.set(reference, answer.id);
        return;
      }
      await delay(Math.min(RETRY_MS * 2 ** (turn - index), RETRY_MAX_MS));
    }
    abandoned.push(reference);
  }

  async function run(): Promise<void> {
    const underWay = new Set<Promise<void>>();
    const begun = performance.now();
    for (let index = 0; !stopping.signal.aborted; index += 1) {
      const task: Promise<void> = create(index).finally(() => underWay.delete(task));
      underWay.add(task);
      const pause = begun + ((index + 1) * 1_000) / perSecond - performance.now();
      if (pause > 0) await delay(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
    await Promise.all(underWay);
    agent.destroy();
  }

  const running = run();
  const seen: Seen = {
    acknowledged,
    answers,
    abandoned,
    get longestGapMs() {
      return longestGapMs;
    },
  };
  return {
    seen,
    lastAcknowledged: () => last,
    async stop() {
      stopping.abort();
      await running;
      return seen;
    },
    abort() {
      aborted = true;
      stopping.abort();
      agent.destroy();
    },
  };
}

interface Answer {
  /** The status, or the code of the network error. */
  readonly name: string;
  readonly id: string | null;
}

/** Sends a request. It never throws: errors are reported as another kind of answer. */
function send(agent: Agent, url: string, key: KeyPair, idempotencyKey: string, body: string): Promise<Answer> {
  return new Promise((resolve) => {
    const headers = {
      authorization: `ApiKey ${key.id}:${key.secret}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'idempotency-key': idempotencyKey,
    };
    const signal = AbortSignal.timeout(TRY_TIMEOUT_MS);
    const failed = (error: NodeJS.ErrnoException) => resolve({ name: signal.aborted ? 'timeout' : (error.code ?? 'error'), id: null });
    const asked = request(url, { method: 'POST', agent, headers, signal }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk)).on('error', failed);
      response.on('end', () => {
        const name = String(response.statusCode);
        resolve({ name, id: response.statusCode === 200 ? JSON.parse(text).id : null });
      });
    });
    asked.on('error', failed).end(body);
  });
}
