import { type Clock, SECOND_MS } from '@/lib/core/clock';

/** How many seconds of its rate a subject may use at once after a pause. */
export const BURST_SECONDS = 5;
/** What is left of a rate, at the least, to a process whose neighbours use all of it. */
const LEAST_SHARE = 0.05;
/** How many subjects are remembered; the one that was idle longest is forgotten first. */
const SUBJECTS_MAX = 100_000;
/** What a subject has sent too much is forgotten after so many allowed requests. */
const EXCESS_MAX = 50;

/** What a limiter says about one request. */
export interface Verdict {
  readonly allowed: boolean;
  /** The whole rate. */
  readonly perSecond: number;
  /** How many requests could follow at once. */
  readonly remaining: number;
  /** Seconds until all of the burst is available again. */
  readonly resetSeconds: number;
  /** Seconds until one more request is allowed; 0 when it is now. */
  readonly retrySeconds: number;
  /** How many more requests of the subject were refused than allowed lately. */
  readonly excess: number;
}

/** How much of a rate a subject has used in this process lately. */
export interface Usage {
  readonly subject: string;
  readonly perSecond: number;
}

interface Bucket {
  tokens: number;
  /** When `tokens` was right, Unix ms. */
  at: number;
  /** Requests allowed since the last exchange with the other processes. */
  used: number;
  /** Requests a second that the other processes allow. */
  others: number;
  /** Each refusal adds one and each allowed request takes one off, down to 0 and up to EXCESS_MAX. */
  excess: number;
}

export interface RateLimiter {
  /** Counts one request of a subject. @param perSecond how many the subject may send in each second, over all processes. */
  take(subject: string, perSecond: number): Verdict;
  /** @returns the subjects that used at least `least` a second during the last `elapsedMs`, and begins to count anew. */
  collect(elapsedMs: number, least: number): Usage[];
  /** Tells how much the other processes allow; a subject that is missing is used nowhere else. */
  learn(others: readonly Usage[]): void;
}

/**
 * A token bucket for each subject, in memory. The processes tell each other how much they allow (share-rates.ts), and each takes the
 * others' part off its own rate, so that all together allow about the rate.
 */
export function createRateLimiter(clock: Clock): RateLimiter {
  const buckets = new Map<string, Bucket>();
  let shared: readonly string[] = [];

  function open(subject: string, burst: number, now: number): Bucket {
    const known = buckets.get(subject);
    // Deleted first, so that the map is in the order of last use.
    if (known) buckets.delete(subject);
    const bucket = known ?? { tokens: burst, at: now, used: 0, others: 0, excess: 0 };
    buckets.set(subject, bucket);
    if (buckets.size > SUBJECTS_MAX) for (const oldest of buckets.keys()) if (buckets.delete(oldest)) break;
    return bucket;
  }

  return {
    take(subject, perSecond) {
      const now = clock().getTime();
      const burst = perSecond * BURST_SECONDS;
      const bucket = open(subject, burst, now);
      const rate = Math.max(perSecond - bucket.others, perSecond * LEAST_SHARE);
      bucket.tokens = Math.min(burst, bucket.tokens + (Math.max(0, now - bucket.at) / SECOND_MS) * rate);
      bucket.at = now;
      const allowed = bucket.tokens >= 1;
      if (allowed) {
        bucket.tokens -= 1;
        bucket.used += 1;
        bucket.excess = Math.max(0, bucket.excess - 1);
      } else {
        bucket.excess = Math.min(EXCESS_MAX, bucket.excess + 1);
      }
      return {
        allowed,
        perSecond,
        remaining: Math.floor(bucket.tokens),
        resetSeconds: Math.ceil((burst - bucket.tokens) / rate),
        retrySeconds: allowed ? 0 : Math.max(1, Math.ceil((1 - bucket.tokens) / rate)),
        excess: bucket.excess,
      };
    },
    collect(elapsedMs, least) {
      const usages: Usage[] = [];
      for (const [subject, bucket] of buckets) {
        if (bucket.used === 0) continue;
        const perSecond = (bucket.used * SECOND_MS) / elapsedMs;
        bucket.used = 0;
        if (perSecond >= least) usages.push({ subject, perSecond });
      }
      return usages;
    },
    learn(others) {
      const told = new Map(others.map(({ subject, perSecond }) => [subject, perSecond]));
      for (const subject of new Set([...shared, ...told.keys()])) {
        const bucket = buckets.get(subject);
        if (bucket) bucket.others = told.get(subject) ?? 0;
      }
      shared = [...told.keys()];
    },
  };
}
