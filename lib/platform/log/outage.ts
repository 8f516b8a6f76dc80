import { setTimeout as delay } from 'node:timers/promises';
import { SECOND_MS } from '@/lib/platform/core/clock';
import type { Log } from './log';

type Facts = Readonly<Record<string, unknown>>;

interface OutageOptions {
  /** Returns whether an error means that the service is unavailable. */
  readonly isOutage: (error: unknown) => boolean;
  /** The interval between checks, milliseconds. An outage is over when a check succeeds and nothing has failed since the previous check. */
  readonly checkEachMs?: number;
}

interface Watched {
  readonly log: Log;
  /** Returns why the service cannot be used now, or null if it can. */
  readonly findTrouble: () => Promise<Error | null>;
}

/**
 * Creates an outage watcher. It logs an outage of the database as two lines, one at its start and one at its end, instead of one line for
 * each failure. It counts failures in three groups: requests, loops and others.
 */
export function createOutage({ isOutage, checkEachMs = SECOND_MS }: OutageOptions) {
  let watched: Watched | null = null;
  let counts: Map<string, number> | null = null;

  async function follow({ log, findTrouble }: Watched, counted: Map<string, number>): Promise<void> {
    const began = performance.now();
    let before: number;
    do {
      before = total(counted);
      await delay(checkEachMs, undefined, { ref: false });
    } while (before !== total(counted) || (await findTrouble()) !== null);
    counts = null;
    const seconds = Math.round((performance.now() - began) / 100) / 10;
    log.warn({ seconds, failed: Object.fromEntries(counted) }, 'the database is available again');
  }

  return {
    /** Counts a log line whose error belongs to an outage. Returns whether the line was counted. A counted line must not be written. */
    takes(facts: Facts): boolean {
      if (watched === null || !isOutage(facts.err)) return false;
      if (counts === null) {
        counts = new Map();
        watched.log.error({ error: facts.err instanceof Error ? facts.err.message : facts.err }, 'the database is unavailable');
        void follow(watched, counts);
      }
      const kind = kindOf(facts);
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      return true;
    },
    /** Sets the log and the check of the database. Before the first call of this function, no log line is counted. */
    watch(wanted: Watched): void {
      watched = wanted;
    },
  };
}

function kindOf(facts: Facts): string {
  if ('requestId' in facts) return 'requests';
  return 'pump' in facts ? 'loops' : 'other';
}

function total(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
