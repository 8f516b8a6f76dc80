import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { clientNetwork } from '@/lib/platform/core/client-network';
import { SECOND_MS } from '@/lib/platform/core/clock';
import type { Environment } from '@/lib/platform/core/scope';
import { type RateLimit, recorder } from '@/lib/platform/metrics/recorder';
import { createFairQueue, type FairQueue } from '@/lib/platform/queues/fair-queue';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { BURST_SECONDS, createRateLimiter, type RateLimiter, type Verdict } from './rate-limiter';
import { exchangeRates } from './store';

/**
 * If a client had this many more refused than allowed requests, each further refusal is delayed by one second. This slows down a flood. A
 * count of consecutive refusals would not work, because each allowed request would reset that count.
 */
const DELAY_FROM_EXCESS = 20;
/** The limits of one IP address are high and only stop floods, because thousands of customers can share an address (NAT, Opera Mini). */
const FORMS_PER_MINUTE = 300;
const CHECKS_PER_MINUTE = 1_000;
/** A short link has 60 random bits. At this rate, a client that guesses links needs years to find one, even if 100 million links exist. */
const LINKS_PER_MINUTE = 1_000;
const PICTURES_PER_MINUTE = 120;
/** People who type cause about three searches a second. */
const SEARCHES_PER_SECOND = 5;
/** Maximum number of delayed refusals. Further refusals are not delayed. */
const DELAYED_MAX = 2_000;

/**
 * The limit of bills in bulk requests, as a multiple of the limit of POST requests. Such a bill costs the database less than a bill that
 * has a request of its own.
 */
const BULK_BILLS_PER_WRITE = 5;

/** Two bulk requests run at a time, like two statements of the insert queue. Few others may wait, because their bodies use memory. */
const BULK = { concurrency: 2, waitingOfOne: 10, waiting: 50, waitMs: 10 * SECOND_MS };

export interface RequestLimits {
  /** Counts an API request by its key. */
  takeKey(keyId: string, environment: Environment, method: 'GET' | 'POST'): Verdict;
  /** Counts the bills of a bulk request by its key. */
  takeBills(keyId: string, environment: Environment, count: number): Verdict;
  /** Counts a failed authentication by the client's address. */
  takeFailure(address: string | null): Verdict;
  /** Counts a request for a public page by the client's address. */
  takePage(address: string | null): Verdict;
  /** Counts a submitted form of the payment page by the client's address. (The limits that protect phones are counted in the database.) */
  takeForm(address: string | null): Verdict;
  /** Counts a check of a receipt by the client's address. */
  takeCheck(address: string | null): Verdict;
  /** Counts the opening of a short link by the client's address. */
  takeLink(address: string | null): Verdict;
  /** Counts a picture of a bill or receipt by the client's address. */
  takePicture(address: string | null): Verdict;
  /** Counts a search of a member in the dashboard. */
  takeSearch(userId: string): Verdict;
  /** Resolves when a refusal may be sent: at once, or after a second for a client that ignores refusals. */
  delayRefusal(verdict: Verdict): Promise<void>;
  /** The queue for sandbox requests, which may use only a part of the database connections. */
  readonly sandboxQueue: FairQueue;
  /** The queues for requests that create several bills. */
  readonly bulkQueues: Readonly<Record<Environment, FairQueue>>;
  /** The queue for public pages. */
  readonly pageQueue: FairQueue;
  /** The queue for pictures, which take much more CPU than pages. */
  readonly pictureQueue: FairQueue;
  readonly limiter: RateLimiter;
  readonly sharing: RateSharing;
  stop(): void;
}

export function createRequestLimits(runtime: Pick<Runtime, 'db' | 'log' | 'clock' | 'settings'>): RequestLimits {
  const { settings, clock } = runtime;
  const limiter = createRateLimiter(clock);
  const sharing = shareRates(runtime, limiter);
  const perSecond = {
    live: { GET: settings.RATE_LIMIT_LIVE_READS, POST: settings.RATE_LIMIT_LIVE_WRITES },
    sandbox: { GET: settings.RATE_LIMIT_SANDBOX_READS, POST: settings.RATE_LIMIT_SANDBOX_WRITES },
  };
  let delayed = 0;
  return {
    limiter,
    sharing,
    // The name of the counter needs no environment, because a key belongs to one environment.
    takeKey: (keyId, environment, method) => recorded('key', limiter.take(`${method} ${keyId}`, perSecond[environment][method])),
    takeBills: (keyId, environment, cost) =>
      recorded('key', limiter.take(`bills ${keyId}`, perSecond[environment].POST * BULK_BILLS_PER_WRITE, { cost })),
    takeFailure: (address) =>
      recorded('failed_authentication', limiter.take(`failure ${clientNetwork(address)}`, settings.RATE_LIMIT_FAILURES)),
    takePage: (address) => recorded('page', limiter.take(`page ${clientNetwork(address)}`, settings.RATE_LIMIT_PAGES)),
    takeForm: (address) => recorded('form', limiter.take(`form ${clientNetwork(address)}`, FORMS_PER_MINUTE / 60, { burstSeconds: 60 })),
    takeCheck: (address) =>
      recorded('receipt_check', limiter.take(`check ${clientNetwork(address)}`, CHECKS_PER_MINUTE / 60, { burstSeconds: 60 })),
    takeLink: (address) => recorded('link', limiter.take(`link ${clientNetwork(address)}`, LINKS_PER_MINUTE / 60, { burstSeconds: 60 })),
    takePicture: (address) =>
      recorded('picture', limiter.take(`picture ${clientNetwork(address)}`, PICTURES_PER_MINUTE / 60, { burstSeconds: 60 })),
    takeSearch: (userId) => recorded('search', limiter.take(`search ${userId}`, SEARCHES_PER_SECOND)),
    async delayRefusal({ excess }) {
      if (excess < DELAY_FROM_EXCESS || delayed >= DELAYED_MAX) return;
      delayed += 1;
      await delay(SECOND_MS);
      delayed -= 1;
    },
    sandboxQueue: createFairQueue({
      concurrency: Math.max(1, Math.floor(settings.DATABASE_POOL_SIZE * 0.6)),
      waitingOfOne: 500,
      waiting: 2_000,
      waitMs: 10 * SECOND_MS,
    }),
    bulkQueues: { live: createFairQueue(BULK), sandbox: createFairQueue(BULK) },
    // Rendering only uses the CPU, so more parallel requests would only make each one slower.
    pageQueue: createFairQueue({ concurrency: 2, waitingOfOne: 200, waiting: 1_000, waitMs: 10 * SECOND_MS }),
    pictureQueue: createFairQueue({ concurrency: 1, waitingOfOne: 20, waiting: 50, waitMs: 10 * SECOND_MS }),
    stop: () => sharing.stop(),
  };
}

function recorded(limit: RateLimit, verdict: Verdict): Verdict {
  if (!verdict.allowed) recorder()?.rateLimited(limit);
  return verdict;
}

/** Returns the headers that tell a client its limit (draft-ietf-httpapi-ratelimit-headers). */
export function rateHeaders({ perSecond, remaining, resetSeconds, allowed, retrySeconds }: Verdict): Record<string, string> {
  return {
    'ratelimit-policy': `"second";q=${perSecond * BURST_SECONDS};w=${BURST_SECONDS}`,
    ratelimit: `"second";r=${remaining};t=${resetSeconds}`,
    ...(!allowed && { 'retry-after': String(retrySeconds) }),
  };
}

/** The rate of a subject below this many requests per second is not sent to the other processes. */
const LEAST_PER_SECOND = 2;

interface RateSharing {
  /** Exchanges rates with the other processes now. A timer calls this each second. */
  exchange(): Promise<void>;
  stop(): void;
}

/** Exchanges rates with the other processes each second, if there are rates to send. Without the database, each process counts alone. */
function shareRates({ db, log }: Pick<Runtime, 'db' | 'log'>, limiter: RateLimiter): RateSharing {
  const processId = randomUUID();
  let last = performance.now();
  let reachable = true;
  let running = false;

  async function exchange(): Promise<void> {
    const now = performance.now();
    const usages = limiter.collect(Math.max(1, now - last), LEAST_PER_SECOND);
    last = now;
    try {
      limiter.learn(usages.length === 0 ? [] : await exchangeRates(db, { processId, usages }));
      reachable = true;
    } catch (error) {
      limiter.learn([]);
      if (reachable) log.warn({ err: error }, 'rates cannot be exchanged: each process counts alone until the database answers');
      reachable = false;
    }
  }

  async function tick(): Promise<void> {
    if (running) return;
    running = true;
    await exchange();
    running = false;
  }

  const timer = setInterval(() => void tick(), SECOND_MS).unref();
  return { exchange, stop: () => clearInterval(timer) };
}
