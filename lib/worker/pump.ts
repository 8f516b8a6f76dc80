import { setTimeout as delay } from 'node:timers/promises';
import { SECOND_MS } from '@/lib/core/clock';
import type { Log } from '@/lib/log/log';

interface PumpOptions<Item> {
  readonly name: string;
  /** Maximum number of items to work on at once. */
  readonly concurrency: number;
  /** The pause after a claim that found fewer items than its limit, milliseconds. */
  readonly idleMs: number;
  /**
   * If given, the pump need not wait for all of `idleMs`: it claims again as soon as the work on an item ends, because this may free a slot
   * or make another item due. After a claim, it waits at least for the returned number of milliseconds.
   * @param found the number of items that the last claim found.
   */
  readonly gapMs?: (found: number) => number;
  /** How long a stop waits for running items before it aborts them, milliseconds. */
  readonly graceMs: number;
  /** Returns whether the pump may claim now. If not, it checks again a second later. */
  readonly mayClaim?: () => boolean;
  /** Claims up to `limit` due items. */
  readonly claim: (limit: number) => Promise<Item[]>;
  /** Works on one item. If this fails, the pump logs the error. The item becomes due again when its lease expires. */
  readonly work: (item: Item, signal: AbortSignal) => Promise<void>;
  readonly log: Log;
  readonly watch?: PumpWatch;
}

/** Receives what a pump does. Times are in milliseconds. */
export interface PumpWatch {
  /** @param found the number of claimed items; null if the claim failed. */
  claimed(found: number | null, ms: number): void;
  worked(succeeded: boolean, ms: number): void;
}

/** The options of a pump that do not depend on its work. */
export type PumpSettings = Omit<PumpOptions<never>, 'claim' | 'work' | 'gapMs'>;

export interface Pump {
  stop(): Promise<void>;
}

const FAILURE_PAUSE_MS = SECOND_MS;
/** A worker whose claim finds more items than this is busy. */
const FEW = 2;

/**
 * Returns the gap after a claim that costs the database a few milliseconds, for the option `gapMs`. A busy worker waits longer, so that one
 * claim finds more items, and the statements of these items are combined.
 */
export function claimGap(found: number): number {
  return found > FEW ? 40 : 10;
}
const always = () => true;

/** Claims due items and works on them, up to `concurrency` at once, until it is stopped. */
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
  watch,
}: PumpOptions<Item>): Pump {
  const underWay = new Set<Promise<void>>();
  /** Resolves when the pump stops, or when the work on any claimed item ends. */
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
      else await busyPause(found < free, gapMs(found));
    }
  }

  async function busyPause(idle: boolean, gap: number): Promise<void> {
    await pause(gap);
    if (idle) await Promise.race([pause(idleMs - gap), ended.promise]);
  }

  async function claimSome(free: number): Promise<number> {
    ended = Promise.withResolvers();
    const started = performance.now();
    try {
      const items = await claim(free);
      watch?.claimed(items.length, performance.now() - started);
      for (const item of items) start(item);
      return items.length;
    } catch (error) {
      watch?.claimed(null, performance.now() - started);
      log.error({ err: error, pump: name }, 'could not claim work');
      return -1;
    }
  }

  function start(item: Item): void {
    const started = performance.now();
    const task: Promise<void> = work(item, aborting.signal)
      .then(
        () => watch?.worked(true, performance.now() - started),
        (error: unknown) => {
          watch?.worked(false, performance.now() - started);
          log.error({ err: error, pump: name }, 'work failed; it is retried when its lease expires');
        },
      )
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
