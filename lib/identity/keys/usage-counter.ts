import { MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { eastAfricanDay } from '@/lib/platform/core/east-african-day';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { addUses, type Uses } from './day-store';

/** The shortest time between two writes of the uses of a key. So the dashboard shows a use up to this much later. */
export const STORE_INTERVAL_MS = 2 * MINUTE_MS;
/**
 * A use with a new address or route is stored at once if the previous write of the key was at least this long ago. This limits the writes
 * of a key whose address or route changes all the time.
 */
const NEWS_INTERVAL_MS = 5 * SECOND_MS;

interface Use {
  readonly keyId: string;
  readonly address: string | null;
  /** The method and path of the route, such as `POST bills/create`. */
  readonly route: string;
}

interface Written {
  readonly at: number;
  readonly address: string | null;
  readonly route: string;
}

/** Counts the uses of keys in memory, and stores them independently of the requests. Each process has one counter. */
interface UsageCounter {
  note(use: Use): void;
  /** Stores all uses that are not stored yet. */
  flush(): Promise<void>;
}

export function createUsageCounter({ db, clock, log }: Pick<Runtime, 'db' | 'clock' | 'log'>): UsageCounter {
  /** The uses that are not stored yet, by day and then by key. */
  let counted = new Map<string, Map<string, Uses>>();
  const written = new Map<string, Written>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const uses = [...counted.values()].flatMap((day) => [...day.values()]);
    if (uses.length === 0) return;
    counted = new Map();
    try {
      await addUses(db, uses);
    } catch (error) {
      for (const use of uses) count(use);
      log.warn({ err: error, keys: uses.length }, 'could not store the uses of API keys; trying again with the next ones');
    }
  }

  function flush(): Promise<void> {
    writing = writing.then(write);
    return writing;
  }

  function count(use: Uses): void {
    const day = counted.get(use.day) ?? new Map<string, Uses>();
    if (day.size === 0) counted.set(use.day, day);
    const before = day.get(use.keyId);
    day.set(use.keyId, before ? { ...(before.lastAt > use.lastAt ? before : use), count: before.count + use.count } : use);
  }

  return {
    note({ keyId, address, route }) {
      const now = clock();
      count({ keyId, day: eastAfricanDay(now), count: 1, lastAt: now, lastAddress: address, lastRoute: route });
      const last = written.get(keyId);
      const age = last ? now.getTime() - last.at : Number.POSITIVE_INFINITY;
      const news = last?.address !== address || last.route !== route;
      if (age >= STORE_INTERVAL_MS || (news && age >= NEWS_INTERVAL_MS)) {
        if (written.size >= 10_000) written.clear();
        written.set(keyId, { at: now.getTime(), address, route });
        void flush();
        return;
      }
      timer ??= setTimeout(() => void flush(), STORE_INTERVAL_MS).unref();
    },
    flush,
  };
}
