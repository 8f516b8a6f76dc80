import { type Clock, SECOND_MS } from '@/lib/platform/core/clock';

/**
 * A subject is what the limiter limits, for example an API key or an IP address. After a pause, a subject may by default send the requests
 * of this many seconds at once.
 */
export const BURST_SECONDS = 5;
/** The share of a rate that a process can always use, even if other processes use all of it. */
const LEAST_SHARE = 0.05;
/** Maximum number of subjects in memory. If there are more, the subject that was idle longest is removed. */
const SUBJECTS_MAX = 100_000;
/** The maximum of a bucket's `excess`. So 50 allowed requests in a row always bring `excess` to 0, however many were refused before. */
const EXCESS_MAX = 50;

/** The limiter's decision about a request. */
export interface Verdict {
  readonly allowed: boolean;
  /** The allowed rate, over all processes. */
  readonly perSecond: number;
  /** How many more requests are allowed now. */
  readonly remaining: number;
  /** Seconds until the full burst is available again. */
  readonly resetSeconds: number;
  /** Seconds until the next request is allowed; 0 if this one is allowed. */
  readonly retrySeconds: number;
  /** How many more requests of the subject were refused than allowed lately. */
  readonly excess: number;
}

/** The rate at which a subject has sent allowed requests lately. */
export interface Usage {
  readonly subject: string;
  readonly perSecond: number;
}

interface Bucket {
  tokens: number;
  /** When `tokens` was computed, Unix milliseconds. */
  at: number;
  /** When the bucket was last moved to the end of the map, Unix milliseconds. */
  movedAt: number;
  /** Requests allowed since the last exchange with the other processes. */
  used: number;
  /** Requests per second that the other processes have allowed. */
  others: number;
  /** A refusal adds one, an allowed request subtracts one. From 0 to EXCESS_MAX. */
  excess: number;
}

export interface RateLimiter {
  /**
   * Counts a request of a subject.
   * @param perSecond the allowed rate of the subject, over all processes.
   * @param options.burstSeconds after a pause, the subject may send the requests of this many seconds at once.
   * @param options.cost the number of requests as which this request is counted. It is allowed if a request with cost 1 would be allowed.
   * Later requests then have to wait longer.
   */
  take(subject: string, perSecond: number, options?: { readonly burstSeconds?: number; readonly cost?: number }): Verdict;
  /** Returns the subjects with at least `least` requests per second during the last `elapsedMs`, and resets the counts. */
  collect(elapsedMs: number, least: number): Usage[];
  /** Stores the rates of the other processes. The rate of a subject that is missing in `others` is 0. */
  learn(others: readonly Usage[]): void;
}

/**
 * Creates a rate limiter with a token bucket per subject, in memory. The processes exchange the rates of the requests that they have
 * allowed (request-limits.ts). Each process subtracts the rates of the other processes from the allowed rate, so that all processes together
 * allow about the allowed rate.
 */
export function createRateLimiter(clock: Clock): RateLimiter {
  const buckets = new Map<string, Bucket>();
  let shared: readonly string[] = [];

  function open(subject: string, burst: number, now: number): Bucket {
    const known = buckets.get(subject);
    if (known && now - known.movedAt < SECOND_MS) return known;
    // The entry is deleted and set again, which moves it to the end of the map. So the map is ordered by the last use, to the second.
    if (known) buckets.delete(subject);
    const bucket = known ?? { tokens: burst, at: now, movedAt: now, used: 0, others: 0, excess: 0 };
    bucket.movedAt = now;
    buckets.set(subject, bucket);
    if (buckets.size > SUBJECTS_MAX) for (const oldest of buckets.keys()) if (buckets.delete(oldest)) break;
    return bucket;
  }

  return {
    take(subject, perSecond, { burstSeconds = BURST_SECONDS, cost = 1 } = {}) {
      const now = clock().getTime();
      const burst = perSecond * burstSeconds;
      const bucket = open(subject, burst, now);
      const rate = Math.max(perSecond - bucket.others, perSecond * LEAST_SHARE);
      bucket.tokens = Math.min(burst, bucket.tokens + (Math.max(0, now - bucket.at) / SECOND_MS) * rate);
      bucket.at = now;
      const allowed = bucket.tokens >= 1;
      if (allowed) {
        bucket.tokens -= cost;
        bucket.used += cost;
        bucket.excess = Math.max(0, bucket.excess - 1);
      } else {
        bucket.excess = Math.min(EXCESS_MAX, bucket.excess + 1);
      }
      return {
        allowed,
        perSecond,
        remaining: Math.max(0, Math.floor(bucket.tokens)),
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
      const rates = new Map(others.map(({ subject, perSecond }) => [subject, perSecond]));
      for (const subject of new Set([...shared, ...rates.keys()])) {
        const bucket = buckets.get(subject);
        if (bucket) bucket.others = rates.get(subject) ?? 0;
      }
      shared = [...rates.keys()];
    },
  };
}
