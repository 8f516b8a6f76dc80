import { setTimeout as delay } from 'node:timers/promises';

/** What this process is doing, by what it is about; each resolves when it is done. */
const running = new Map<string, Promise<unknown>>();

interface TurnOptions<Value> {
  /** How long one that meets another waits for its turn and its work, milliseconds. */
  readonly limitMs: number;
  /** Called when it begins to wait. */
  readonly onWait?: (() => void) | undefined;
  readonly work: () => Promise<Value>;
  readonly late: () => Value;
}

/**
 * Does work about one thing at a time in this process. Of many requests that meet the same row, one then waits in the
 * database, and the others leave its connections to everybody else.
 * @returns what `work` returns, or what `late` returns at the limit; work that has begun goes on.
 */
export async function takeTurns<Value>(about: string, { limitMs, onWait, work, late }: TurnOptions<Value>): Promise<Value> {
  if (!running.has(about)) return begin(about, work);
  onWait?.();
  const done = new AbortController();
  let over = false;
  const limit = delay(limitMs, undefined, { signal: done.signal }).then(() => {
    over = true;
    return late();
  });
  // Rejected when it is not needed any more.
  limit.catch(() => undefined);
  try {
    for (let other = running.get(about); other && !over; other = running.get(about)) await Promise.race([other, limit]);
    return await (over ? limit : Promise.race([begin(about, work), limit]));
  } finally {
    done.abort();
  }
}

function begin<Value>(about: string, work: () => Promise<Value>): Promise<Value> {
  const result = work();
  const ended = result.catch(() => undefined).finally(() => running.delete(about));
  running.set(about, ended);
  return result;
}
