import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { FairLine } from './fair-line';
import type { FairQueue } from './fair-queue';
import { Overloaded } from './overloaded';

/**
 * Natural batching. Most of the cost of a small statement is the same for one row as for a hundred: the round trip, the plan, the commit.
 * So items share statements. A few lanes send the statements, and each lane sends one statement at a time:
 * - If a lane is free, an item is sent at once, alone. There is no timer, so a quiet system is as fast as without batches.
 * - If all lanes are busy, items wait. The next free lane sends the waiting items together, as one batch.
 * So the load decides the size of a batch: it is the number of items that arrive while another batch is under way. More load makes larger
 * batches, and a larger batch costs less for each item. An item usually waits for the rest of one batch, and then for its own batch.
 *
 * Subjects take turns when a batch is filled. So a subject with very many items gets only the space that other subjects do not use.
 *
 * A quick statement ends before the next item arrives, so even under load its batch has one item. For callers that can wait some
 * milliseconds, `pace` limits how many batches start in a given time. Then each batch has more items.
 */
interface NaturalBatcher<Item, Outcome> {
  /** Returns the outcome of an item. Throws Overloaded if too many items wait, or if the item waited too long. */
  add(subject: string, item: Item): Promise<Outcome>;
}

interface BatcherOptions<Item, Outcome> {
  /** The maximum number of batches that run at the same time. */
  readonly lanes: number;
  /** Maximum number of items of a batch, so that no batch takes long. */
  readonly sizeMax: number;
  readonly waitingMax: number;
  readonly waitingOfOneMax: number;
  readonly waitMs: number;
  /**
   * If given, at most `pace.batches` batches start within `pace.withinMs`, and items that arrive in the same turn of the event loop share a
   * batch.
   */
  readonly pace?: Pace;
  /** Runs a batch. Returns the outcomes in the order of the items; undefined for an item that must run alone. */
  readonly runBatch: (items: readonly Item[]) => Promise<readonly (Outcome | undefined)[]>;
  readonly runAlone: (item: Item) => Promise<Outcome>;
  /** The queue of the items that run alone. Such an item may wait for locks, so it must not occupy a lane, which sends batches. */
  readonly aloneQueue: FairQueue;
  /** Whether this error proves that the failed batch has changed nothing, so that its items may run again. */
  readonly mayRepeat: (error: unknown) => boolean;
  /** Called with the size of each batch before it runs, for metrics. */
  readonly onBatch?: (size: number) => void;
  /** Called for each refused item, for metrics. */
  readonly onRefusal?: () => void;
}

export interface Pace {
  readonly batches: number;
  readonly withinMs: number;
}

interface Waiting<Item, Outcome> {
  readonly subject: string;
  readonly item: Item;
  readonly since: number;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

export function createNaturalBatcher<Item, Outcome>(options: BatcherOptions<Item, Outcome>): NaturalBatcher<Item, Outcome> {
  const { lanes, sizeMax, waitingMax, waitingOfOneMax, waitMs, runBatch, runAlone, aloneQueue, mayRepeat, pace, onBatch, onRefusal } =
    options;
  type Entry = Waiting<Item, Outcome>;
  const line = new FairLine<Entry>();
  /** The waiting entries by age, the oldest first. */
  const byAge = new Set<Entry>();
  /** The start times of the latest batches, oldest first. Empty if the option `pace` is not given. */
  const starts: number[] = [];
  let busyLanes = 0;
  let watched = false;

  async function runLane(first?: Entry): Promise<void> {
    busyLanes += 1;
    if (first) await settle([first]);
    while (line.size > 0) {
      if (pace) await waitForTurn(pace);
      const batch = takeBatch();
      if (batch.length > 0) await settle(batch);
    }
    busyLanes -= 1;
  }

  /** Waits until the pace allows another batch, and always until the next turn of the event loop. */
  async function waitForTurn({ batches, withinMs }: Pace): Promise<void> {
    const [earliest] = starts;
    const waitMs = starts.length < batches || earliest === undefined ? 0 : earliest + withinMs - performance.now();
    await (waitMs > 0 ? delay(waitMs) : nextTurn());
    if (starts.length === batches) starts.shift();
    starts.push(performance.now());
  }

  function takeBatch(): Entry[] {
    const batch: Entry[] = [];
    while (batch.length < sizeMax) {
      const entry = line.shift();
      if (!entry) break;
      byAge.delete(entry);
      batch.push(entry);
    }
    return batch;
  }

  function refuse({ reject }: Pick<Entry, 'reject'>): void {
    onRefusal?.();
    reject(new Overloaded());
  }

  async function settle(batch: readonly Entry[]): Promise<void> {
    onBatch?.(batch.length);
    try {
      const outcomes = await runBatch(batch.map(({ item }) => item));
      for (const [index, entry] of batch.entries()) {
        const outcome = outcomes[index];
        if (outcome === undefined) void settleAlone(entry);
        else entry.resolve(outcome);
      }
    } catch (error) {
      for (const entry of batch)
        if (mayRepeat(error)) void settleAlone(entry);
        else entry.reject(error);
    }
  }

  async function settleAlone({ subject, item, resolve, reject }: Entry): Promise<void> {
    try {
      const outcome = await aloneQueue.run(subject, () => runAlone(item));
      if (outcome === undefined) refuse({ reject });
      else resolve(outcome);
    } catch (error) {
      reject(error);
    }
  }

  /** Refuses the entries that have waited too long, because no lane became free. */
  function refuseLate(): void {
    const late = performance.now() - waitMs;
    for (const entry of byAge) {
      if (entry.since > late) break;
      byAge.delete(entry);
      line.remove(entry.subject, entry);
      refuse(entry);
    }
    watched = byAge.size > 0;
    if (watched) setTimeout(refuseLate, waitMs / 4);
  }

  return {
    add: (subject, item) =>
      new Promise((resolve, reject) => {
        const entry: Entry = { subject, item, since: performance.now(), resolve, reject };
        const isFree = busyLanes < lanes;
        if (isFree && !pace) return void runLane(entry);
        if (!isFree && (line.size >= waitingMax || line.sizeOf(subject) >= waitingOfOneMax)) return refuse(entry);
        line.push(subject, entry);
        byAge.add(entry);
        if (isFree) void runLane();
        if (!watched) setTimeout(refuseLate, waitMs / 4);
        watched = true;
      }),
  };
}
