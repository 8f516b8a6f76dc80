import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { z } from 'zod';
import { addMs } from '@/lib/core/clock';
import type { Queryable } from '@/lib/db/database';
import { int4, int8 } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import type { Runtime } from '@/lib/runtime/runtime';
import type { Counter, Window } from './throttle-rules';

type Needs = Pick<Runtime, 'db' | 'clock'>;

/** Instants in milliseconds are the only numbers this large that the library writes. */
const SOME_INSTANT = Date.UTC(2001);

/**
 * Counts one try, before it is made: of many at once, no more get through than may.
 * @returns null when it may be made, else when one may again.
 */
export async function countTry(runtime: Needs, counters: readonly Counter[]): Promise<Date | null> {
  for (const { limiter, key } of limiters(runtime, counters)) {
    try {
      await limiter.consume(key);
    } catch (reason) {
      if (!(reason instanceof RateLimiterRes)) throw reason;
      return (await waitOf(runtime, counters)) ?? addMs(runtime.clock(), reason.msBeforeNext);
    }
  }
  return null;
}

/** Takes back one try that was counted: it was right. */
export async function forgetTry(runtime: Needs, counters: readonly Counter[]): Promise<void> {
  for (const { limiter, key } of limiters(runtime, counters)) await limiter.reward(key);
}

/** Lets counters begin anew. */
export async function renewTries(runtime: Needs, counters: readonly Counter[]): Promise<void> {
  for (const { limiter, key } of limiters(runtime, counters)) await limiter.delete(key);
}

/** @returns when the next try may be made, or null when it may be now. Counts nothing. */
export async function waitOf(runtime: Needs, counters: readonly Counter[]): Promise<Date | null> {
  let longest = 0;
  for (const { limiter, key } of limiters(runtime, counters)) {
    const counted = await limiter.get(key);
    if (counted && counted.consumedPoints >= limiter.points) longest = Math.max(longest, counted.msBeforeNext);
  }
  return longest > 0 ? addMs(runtime.clock(), longest) : null;
}

const DELETE_SPENT_COUNTERS = statement({
  name: 'delete spent counters',
  text: 'DELETE FROM throttle WHERE key = ANY (ARRAY(SELECT key FROM throttle WHERE expire <= $now LIMIT 1000)) RETURNING 1 AS gone',
  parameters: { now: int8 },
  columns: { gone: int4 },
});

/** Forgets counters that count nothing any more. @returns how many. */
export async function deleteSpentCounters(db: Queryable, now: Date): Promise<number> {
  return (await DELETE_SPENT_COUNTERS.rows(db, { now: BigInt(now.getTime()) })).length;
}

function limiters(runtime: Needs, counters: readonly Counter[]) {
  return counters.flatMap(({ key, windows }) => windows.map((window) => ({ key, limiter: limiter(runtime, window) })));
}

/** Cheap to make: it holds nothing and starts nothing, for the table is a migration's and the worker clears it. */
function limiter(runtime: Needs, { tries, seconds }: Window): RateLimiterPostgres {
  return new RateLimiterPostgres({
    storeClient: clientOf(runtime),
    storeType: 'client',
    tableName: 'throttle',
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix: String(seconds),
    points: tries,
    duration: seconds,
  });
}

/** What the library's statements return of a counter, if they return anything of it. */
const counterSchema = z.looseObject({ expire: z.bigint().nullish() });

/**
 * Our pool as the library wants it. It reads instants as numbers, where ours gives bigints; and it knows the machine's clock only:
 * instants are moved by the difference to ours on their way in and out.
 */
function clientOf({ db, clock }: Needs) {
  return {
    async query({ name, text, values }: { name: string; text: string; values: readonly unknown[] }) {
      const ahead = clock().getTime() - Date.now();
      const rows = await db.query(
        { name, text },
        values.map((value) => (typeof value === 'number' && value > SOME_INSTANT ? value + ahead : value)),
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
