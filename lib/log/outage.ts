import { setTimeout as delay } from 'node:timers/promises';
import { SECOND_MS } from '@/lib/core/clock';
import type { Log } from './log';

/** What a log line says beside its text. */
type Facts = Readonly<Record<string, unknown>>;

interface OutageOptions {
  /** Whether an error says that the service is unavailable. */
  readonly isOutage: (error: unknown) => boolean;
  /** How often an outage is checked, milliseconds. It is over after a check without a failure since the one before. */
  readonly checkEachMs?: number;
}

interface Watched {
  readonly log: Log;
  /** @returns why the service cannot be used now, or null when it can. */
  readonly findTrouble: () => Promise<Error | null>;
}

/** Logs an outage of the database as two lines, instead of a line for everything that fails meanwhile. */
interface Outage {
  /** Counts the line if its error belongs to an outage. @returns whether it did: then the line is not to be written. */
  takes(facts: Facts): boolean;
  /** Says where to log and whom to ask; until then nothing is counted. */
  watch(watched: Watched): void;
}

/** Counts failures by the kind of line that reported them. */
export function createOutage({ isOutage, checkEachMs = SECOND_MS }: OutageOptions): Outage {
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
    takes(facts) {
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
    watch(wanted) {
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
