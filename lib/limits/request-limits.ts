import { setTimeout as delay } from 'node:timers/promises';
import { clientNetwork } from '@/lib/core/client-network';
import { SECOND_MS } from '@/lib/core/clock';
import type { Environment } from '@/lib/core/scope';
import type { Runtime } from '@/lib/runtime/runtime';
import { createFairLine, type FairLine } from './fair-line';
import { BURST_SECONDS, createRateLimiter, type RateLimiter, type Verdict } from './rate-limiter';
import { type RateSharing, shareRates } from './share-rates';

/**
 * A client that was refused so many times more often than allowed waits one second for each further refusal. So a flood costs little.
 * Refusals in a row are not counted instead: a few allowed requests in between would reset them.
 */
const PATIENT_EXCESS = 20;
/** How many refusals are held back at once; the rest is answered at once. */
const HELD_MAX = 2_000;

/** What a web process allows. One per process. */
export interface RequestLimits {
  /** Counts a request of the API by its key. */
  takeKey(keyId: string, environment: Environment, method: 'GET' | 'POST'): Verdict;
  /** Counts a failed authentication by its address. */
  takeFailure(address: string | null): Verdict;
  /** Counts a page by the address that asks for it. */
  takePage(address: string | null): Verdict;
  /** Resolves when a refusal may be answered: at once, or after a second for whoever goes on all the same. */
  holdBack(verdict: Verdict): Promise<void>;
  /** For requests of the sandbox: together they use only a part of the process's connections. */
  readonly sandboxLine: FairLine;
  /** For pages that anybody may open. */
  readonly pageLine: FairLine;
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
  let held = 0;
  return {
    limiter,
    sharing,
    // A key belongs to one environment.
    takeKey: (keyId, environment, method) => limiter.take(`${method} ${keyId}`, perSecond[environment][method]),
    takeFailure: (address) => limiter.take(`failure ${clientNetwork(address)}`, settings.RATE_LIMIT_FAILURES),
    takePage: (address) => limiter.take(`page ${clientNetwork(address)}`, settings.RATE_LIMIT_PAGES),
    async holdBack({ excess }) {
      if (excess < PATIENT_EXCESS || held >= HELD_MAX) return;
      held += 1;
      await delay(SECOND_MS);
      held -= 1;
    },
    sandboxLine: createFairLine({
      concurrency: Math.max(1, Math.floor(settings.DATABASE_POOL_SIZE * 0.6)),
      waitingOfOne: 500,
      waiting: 2_000,
      waitMs: 10 * SECOND_MS,
    }),
    // Rendering is all computing: more at once would only make each slower.
    pageLine: createFairLine({ concurrency: 2, waitingOfOne: 200, waiting: 1_000, waitMs: 10 * SECOND_MS }),
    stop: () => sharing.stop(),
  };
}

/** @returns the headers by which a client can keep to its limit (draft-ietf-httpapi-ratelimit-headers). */
export function rateHeaders({ perSecond, remaining, resetSeconds, allowed, retrySeconds }: Verdict): Record<string, string> {
  return {
    'ratelimit-policy': `"second";q=${perSecond * BURST_SECONDS};w=${BURST_SECONDS}`,
    ratelimit: `"second";r=${remaining};t=${resetSeconds}`,
    ...(!allowed && { 'retry-after': String(retrySeconds) }),
  };
}
