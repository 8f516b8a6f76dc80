/** How many password hashes for strangers (see `HashLane`) may wait. Further strangers get `busy`. A hash takes about 30 ms. */
const STRANGERS_WAITING = 150;

/** `trusted`: the request comes from a known device, a session, a link or the operator. `stranger`: all other requests. */
export type HashLane = 'trusted' | 'stranger';

interface HashQueue {
  /** Runs `work` in its turn and returns its value, or returns `busy` without running it. */
  run<T>(lane: HashLane, work: () => Promise<T>): Promise<T | 'busy'>;
}

/**
 * Creates a queue for password hashes. Each hash occupies a core, about 20 MB and one of libuv's four threads, so at most two run
 * at once. Strangers may use only one of these two slots, and wait while a trusted caller waits. A flood of sign-ins therefore does
 * not delay members on known devices, and takes at most one core from other requests.
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
  // Several bundles of one process contain this module. A module variable would exist once per bundle.
  var biliHashQueue: HashQueue | undefined;
}

/** Returns the only queue of this process. */
export function hashQueue(): HashQueue {
  globalThis.biliHashQueue ??= createHashQueue();
  return globalThis.biliHashQueue;
}
