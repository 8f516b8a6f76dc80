import { setTimeout as delay } from 'node:timers/promises';
import { MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import type { Log } from '@/lib/platform/log/log';
import { recorder } from '@/lib/platform/metrics/recorder';

interface PumpOptions<Item> {
  readonly name: string;
  /** Maximum number of items to work on at once. */
  readonly concurrency: number;
  /** The pause after a claim that found fewer items than its limit, milliseconds. */
  readonly idleMs: number;
  /**
   * If given, the pump need not wait for all of `idleMs`: it claims again as soon as the work on an item ends, because this may free a slot
   * or make another item due. After a claim, it waits at least for the returned number of milliseconds.
   * @param claimed the number of items that the last claim found.
   */
  readonly gapMs?: (claimed: number) => number;
  /** How long a stop waits for running items before it aborts them, milliseconds. */
  readonly graceMs: number;
  /** Returns whether the pump may claim now. If not, it checks again a second later. */
  readonly mayClaim?: () => boolean;
  /** Returns whether the pump must wait for a person, which is no lack of progress. It checks again a second later. */
  readonly isHeld?: () => boolean;
  /** Claims up to `limit` due items. */
  readonly claim: (limit: number) => Promise<Item[]>;
  /** Works on one item. If this fails, the pump logs the error. The item becomes due again when its lease expires. */
  readonly work: (item: Item, signal: AbortSignal) => Promise<void>;
  readonly log: Log;
  readonly watch?: PumpWatch;
}

/** Receives what a pump does. Times are in milliseconds. */
interface PumpWatch {
  /** @param count the number of claimed items; null if the claim failed. */
  claimed(count: number | null, ms: number): void;
  worked(succeeded: boolean, ms: number): void;
  /** The pump may not claim, because it is held. */
  held(): void;
}

/** The options of a pump that do not depend on its work. */
export type PumpSettings = Omit<PumpOptions<never>, 'claim' | 'work' | 'gapMs'>;

export interface Pump {
  stop(): Promise<void>;
}

const FAILURE_PAUSE_MS = SECOND_MS;
const HELD_PAUSE_MS = SECOND_MS;
/** A worker whose claim finds more items than this is busy. */
const FEW = 2;

/**
 * Returns the gap after a claim that costs the database a few milliseconds, for the option `gapMs`. A busy worker waits longer, so that one
 * claim finds more items, and the statements of these items are combined.
 */
export function claimGap(claimed: number): number {
  return claimed > FEW ? 40 : 10;
}
const always = () => true;
const never = () => false;

/** Claims due items and works on them, up to `concurrency` at once, until it is stopped. */
export function startPump<Item>({
  name,
  concurrency,
  idleMs,
  gapMs,
  graceMs,
  mayClaim = always,
  isHeld = never,
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
      if (isHeld()) {
        watch?.held();
        await pause(HELD_PAUSE_MS);
        continue;
      }
      const free = concurrency - underWay.size;
      if (free === 0) {
        await ended.promise;
        continue;
      }
      const claimed = mayClaim() ? await claimSome(free) : -1;
      if (claimed < 0) await pause(FAILURE_PAUSE_MS);
      else if (gapMs === undefined) await (claimed < free && pause(idleMs));
      else await busyPause(claimed < free, gapMs(claimed));
    }
  }

  async function busyPause(idle: boolean, gap: number): Promise<void> {
    await pause(gap);
    if (idle && idleMs > gap) await Promise.race([pause(idleMs - gap), ended.promise]);
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

/** Maximum number of items in a batch. */
const BATCH_MAX = 200;

/**
 * Returns a function that processes an item in a batch, together with the items that arrive while `work` is busy. The function resolves
 * when the item is done, and rejects if the item fails. If a batch fails, each of its items is processed alone, so that one bad item does
 * not make others fail.
 * @param work processes several items, all or nothing.
 */
export function inBatches<Item>(work: (items: readonly Item[]) => Promise<void>): (item: Item) => Promise<void> {
  let waiting: { readonly item: Item; readonly done: () => void; readonly failed: (error: unknown) => void }[] = [];
  let busy = false;

  async function run(): Promise<void> {
    busy = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH_MAX);
      waiting = waiting.slice(BATCH_MAX);
      const items = batch.map(({ item }) => item);
      const failure = await tryBatch(items);
      for (const { item, done, failed } of batch) {
        const error = failure && batch.length > 1 ? await tryBatch([item]) : failure;
        if (error) failed(error.reason);
        else done();
      }
    }
    busy = false;
  }

  async function tryBatch(items: readonly Item[]): Promise<{ readonly reason: unknown } | null> {
    try {
      await work(items);
      return null;
    } catch (reason) {
      return { reason };
    }
  }

  return (item) =>
    new Promise((done, failed) => {
      waiting.push({ item, done, failed });
      if (!busy) void run();
    });
}

/**
 * A job is stuck if it makes no progress for longer than its pause plus this time. Progress is a claim that succeeds, even if it finds
 * nothing, or an item whose work ends. A job that is held is not stuck. The time is long, because a provider may hold a call for three minutes, and the check of a very
 * large ledger takes minutes.
 */
const STUCK_MS = 10 * MINUTE_MS;

interface JobsWatch {
  /** Watches the pump of one job. @param idleMs the pause of the job after a claim that found fewer items than its limit. */
  watch(job: string, idleMs: number): PumpWatch;
  /** Returns which jobs make no progress; null if all do. */
  findProblem(): string | null;
}

/** Watches the progress of all jobs of a worker, and records it for the metrics. @param now the time in milliseconds, monotonic. */
export function watchJobs(now: () => number = () => performance.now()): JobsWatch {
  const jobs = new Map<string, { readonly stuckMs: number; at: number }>();
  return {
    watch(job, idleMs) {
      const state = { stuckMs: idleMs + STUCK_MS, at: now() };
      jobs.set(job, state);
      return {
        claimed(count, ms) {
          // A claim that fails is no progress.
          if (count !== null) state.at = now();
          recorder()?.jobClaimed(job, count, ms);
        },
        worked(succeeded, ms) {
          state.at = now();
          recorder()?.jobWorked(job, succeeded, ms);
        },
        held() {
          state.at = now();
        },
      };
    },
    findProblem() {
      const stuck = [...jobs].flatMap(([job, { at, stuckMs }]) => (now() - at > stuckMs ? [job] : []));
      return stuck.length > 0 ? `jobs without progress: ${stuck.join(', ')}` : null;
    },
  };
}
