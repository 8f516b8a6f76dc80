import { setTimeout as delay } from 'node:timers/promises';
import { SECOND_MS } from '@/lib/core/clock';
import type { Log } from '@/lib/log/log';

interface PumpOptions<Item> {
  readonly name: string;
  /** How many items may be worked on at once. */
  readonly concurrency: number;
  /** Pause after a claim that found nothing, milliseconds. */
  readonly idleMs: number;
  /** When given, more is claimed as soon as something is done, though not more often than this, milliseconds: what ends may make room, or a way, for more. */
  readonly gapMs?: number;
  /** How long a stop waits for items under way before it aborts them. */
  readonly graceMs: number;
  /** Whether anything may be claimed now; asked again a second later when not. */
  readonly mayClaim?: () => boolean;
  /** Takes up to `limit` due items. */
  readonly claim: (limit: number) => Promise<Item[]>;
  /** Works on one. What it throws is logged; the item's lease then runs out and it is due again. */
  readonly work: (item: Item, signal: AbortSignal) => Promise<void>;
  readonly log: Log;
}

/** What a pump is told about itself, apart from its work. */
export type PumpSettings = Omit<PumpOptions<never>, 'claim' | 'work' | 'gapMs'>;

export interface Pump {
  stop(): Promise<void>;
}

const FAILURE_PAUSE_MS = SECOND_MS;
const always = () => true;

/** Claims due work as slots come free and works on it, until it is stopped. */
export function startPump<Item>({
  name,
  concurrency,
  idleMs,
  gapMs,
  graceMs,
  mayClaim = always,
  claim,
  work,
  log,
}: PumpOptions<Item>): Pump {
  const underWay = new Set<Promise<void>>();
  /** Resolves when something ends that was under way when the latest claim began, or that it took; or when all is to stop. */
  let ended = Promise.withResolvers<void>();
  const stopping = new AbortController();
  const aborting = new AbortController();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const free = concurrency - underWay.size;
      if (free === 0) {
        await ended.promise;
        continue;
      }
      const found = mayClaim() ? await claimSome(free) : -1;
      if (found < 0) await pause(FAILURE_PAUSE_MS);
      else if (gapMs === undefined) await (found < free && pause(idleMs));
      else await busyPause(found < free, gapMs);
    }
  }

  async function busyPause(idle: boolean, gap: number): Promise<void> {
    await pause(gap);
    if (idle) await Promise.race([pause(idleMs - gap), ended.promise]);
  }

  async function claimSome(free: number): Promise<number> {
    ended = Promise.withResolvers();
    try {
      const items = await claim(free);
      for (const item of items) start(item);
      return items.length;
    } catch (error) {
      log.error({ err: error, pump: name }, 'could not claim work');
      return -1;
    }
  }

  function start(item: Item): void {
    const task: Promise<void> = work(item, aborting.signal)
      .catch((error: unknown) => log.error({ err: error, pump: name }, 'work failed; its lease runs out and it is tried again'))
      .finally(() => {
        underWay.delete(task);
        ended.resolve();
      });
    underWay.add(task);
  }

  async function pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: stopping.signal }).catch(() => undefined);
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      ended.resolve();
      await running;
      const finished = Promise.all(underWay);
      const grace = new AbortController();
      await Promise.race([finished, delay(graceMs, undefined, { signal: grace.signal }).catch(() => undefined)]);
      grace.abort();
      aborting.abort();
      await Promise.all(underWay);
    },
  };
}
