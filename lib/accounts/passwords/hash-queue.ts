/** Work of strangers waits up to this number; more is refused with `busy`. A hash takes about 30 ms. */
const STRANGERS_WAITING = 150;

/** `trusted`: a known device, a session, a link or the operator stands behind it. `stranger`: anybody. */
export type HashLane = 'trusted' | 'stranger';

interface HashQueue {
  /** Runs work when its turn has come. @returns its value, or `busy` without running it. */
  run<T>(lane: HashLane, work: () => Promise<T>): Promise<T | 'busy'>;
}

/**
 * Makes a queue for password hashes. Each hash occupies a core, about 20 MB and one of the four threads of libuv, so at most two run
 * at once. Strangers get one of these two places, and wait while a trusted caller waits: a flood of sign-ins delays neither members on
 * known devices nor other requests by more than one core.
 */
export function createHashQueue(): HashQueue {
  const waiting: Record<HashLane, (() => void)[]> = { trusted: [], stranger: [] };
  const running: Record<HashLane, number> = { trusted: 0, stranger: 0 };
  const isFree = (lane: HashLane) => running.trusted + running.stranger < 2 && (lane === 'trusted' || running.stranger === 0);
  const next = () => {
    for (const lane of ['trusted', 'stranger'] as const) {
      while (waiting[lane].length > 0 && isFree(lane)) {
        running[lane] += 1;
        waiting[lane].shift()?.();
      }
    }
  };
  return {
    async run(lane, work) {
      if (lane === 'stranger' && waiting.stranger.length >= STRANGERS_WAITING) return 'busy';
      await new Promise<void>((start) => {
        waiting[lane].push(start);
        next();
      });
      try {
        return await work();
      } finally {
        running[lane] -= 1;
        next();
      }
    },
  };
}

declare global {
  // Several bundles of one process hold this module: a variable of its own would be there once for each.
  var biliHashQueue: HashQueue | undefined;
}

/** @returns the process's one queue. */
export function hashQueue(): HashQueue {
  globalThis.biliHashQueue ??= createHashQueue();
  return globalThis.biliHashQueue;
}
