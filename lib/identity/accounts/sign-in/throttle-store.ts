import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { z } from 'zod';
import { addMs } from '@/lib/platform/core/clock';
import type { Connection } from '@/lib/platform/db/database';
import type { ReadRuntime } from '@/lib/platform/runtime/runtime';
import type { Counter, Window } from './throttle-rules';

/**
 * The library rate-limiter-flexible passes numbers to its SQL statements: counts, and instants in Unix milliseconds. A number above this
 * one is an instant.
 */
const INSTANT_MIN = Date.UTC(2001);

/**
 * Counts an attempt before it starts, so that concurrent attempts are limited too. Returns null if the attempt is allowed, else when the
 * next attempt is allowed.
 */
export async function countAttempt(runtime: ReadRuntime, counters: readonly Counter[]): Promise<Date | null> {
  for (const { limiter, key } of limiters(runtime, counters)) {
    try {
      await limiter.consume(key);
    } catch (reason) {
      if (!(reason instanceof RateLimiterRes)) throw reason;
      return (await blockedUntil(runtime, counters)) ?? addMs(runtime.clock(), reason.msBeforeNext);
    }
  }
  return null;
}

/** Removes one attempt from its counters: the password or code was right, or the process was too busy to check the password. */
export async function uncountAttempt(runtime: ReadRuntime, counters: readonly Counter[]): Promise<void> {
  for (const { limiter, key } of limiters(runtime, counters)) await limiter.reward(key);
}

export async function resetCounters(runtime: ReadRuntime, counters: readonly Counter[]): Promise<void> {
  for (const { limiter, key } of limiters(runtime, counters)) await limiter.delete(key);
}

/** Returns when the next attempt is allowed, or null if it is allowed now. Counts nothing. */
export async function blockedUntil(runtime: ReadRuntime, counters: readonly Counter[]): Promise<Date | null> {
  let longest = 0;
  for (const { limiter, key } of limiters(runtime, counters)) {
    const counted = await limiter.get(key);
    if (counted && counted.consumedPoints >= limiter.points) longest = Math.max(longest, counted.msBeforeNext);
  }
  return longest > 0 ? addMs(runtime.clock(), longest) : null;
}

/** Deletes expired counters, at most 1,000. Returns how many. */
export async function deleteSpentCounters({ prisma }: Connection, now: Date): Promise<number> {
  return (await prisma.throttle.deleteMany({ where: { expire: { lte: now.getTime() } }, limit: 1000 })).count;
}

function limiters(runtime: ReadRuntime, counters: readonly Counter[]) {
  return counters.flatMap(({ key, windows }) => windows.map((window) => ({ key, limiter: limiter(runtime, window) })));
}

/** Returns a limiter, which is cheap to create. A migration creates its table and the worker deletes expired rows. */
function limiter(runtime: ReadRuntime, { attempts, seconds }: Window): RateLimiterPostgres {
  return new RateLimiterPostgres({
    storeClient: clientOf(runtime),
    storeType: 'client',
    tableName: 'throttle',
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix: String(seconds),
    points: attempts,
    duration: seconds,
  });
}

/** A row that a statement of the library rate-limiter-flexible returns for a counter. */
const counterSchema = z.looseObject({ expire: z.bigint().nullish() });

/**
 * Adapts our pool to the library rate-limiter-flexible. The library needs instants as numbers, but our pool returns bigints. The library
 * uses the machine's clock and not `clock`. So the difference between the two clocks is added to instants that the library stores, and
 * subtracted from instants that it reads.
 */
function clientOf({ db, clock }: ReadRuntime) {
  return {
    async query({ name, text, values }: { name: string; text: string; values: readonly unknown[] }) {
      const ahead = clock().getTime() - Date.now();
      const rows = await db.query(
        { name, text },
        values.map((value) => (typeof value === 'number' && value > INSTANT_MIN ? value + ahead : value)),
      );
      return {
        rows: rows.map((row) => {
          const { expire, ...counter } = counterSchema.parse(row);
          return { ...counter, expire: expire === null || expire === undefined ? null : Number(expire) - ahead };
        }),
        rowCount: rows.length,
      };
    },
  };
}
