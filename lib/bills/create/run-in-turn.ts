import { setTimeout as delay } from 'node:timers/promises';

/** The work that runs in this process, by key. Each promise resolves when the work is done. */
const running = new Map<string, Promise<unknown>>();

interface TurnOptions<Value> {
  /** How long a caller waits for its turn and its work together, in milliseconds. */
  readonly limitMs: number;
  /** Called when the caller starts to wait. */
  readonly onWait?: (() => void) | undefined;
  readonly work: () => Promise<Value>;
  readonly onTimeout: () => Value;
}

/**
 * Runs work with the same key one at a time in this process. If many requests need the same row, only one of them waits in the database,
 * and the others do not occupy database connections.
 * Returns the result of `work`, or of `onTimeout` when the limit is reached. Work that has started continues.
 */
export async function runInTurn<Value>(key: string, { limitMs, onWait, work, onTimeout }: TurnOptions<Value>): Promise<Value> {
  if (!running.has(key)) return start(key, work);
  onWait?.();
  const done = new AbortController();
  let timedOut = false;
  const limit = delay(limitMs, undefined, { signal: done.signal }).then(() => {
    timedOut = true;
    return onTimeout();
  });
  // At the end, `done` aborts the delay, which rejects its promise. This rejection is not an error.
  limit.catch(() => undefined);
  try {
    for (let earlier = running.get(key); earlier && !timedOut; earlier = running.get(key)) await Promise.race([earlier, limit]);
    return await (timedOut ? limit : Promise.race([start(key, work), limit]));
  } finally {
    done.abort();
  }
}

function start<Value>(key: string, work: () => Promise<Value>): Promise<Value> {
  const result = work();
  const ended = result.catch(() => undefined).finally(() => running.delete(key));
  running.set(key, ended);
  return result;
}
