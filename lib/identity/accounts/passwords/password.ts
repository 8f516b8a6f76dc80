import { hash, verify } from '@node-rs/argon2';
import { randomBase62 } from '@/lib/platform/core/base62';
import type { Random } from '@/lib/platform/core/clock';

// OWASP's first choice for Argon2id (the library's default algorithm): 19 MiB of memory, two iterations, no parallelism.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Hashes a password for storage. Call it only for a trusted request: one with a link or a session, or from the operator. */
export async function hashPassword(password: string): Promise<string> {
  const hashed = await hashQueue().run('trusted', () => hash(password.normalize('NFKC'), COST));
  if (hashed === 'busy') throw new Error('the queue of password hashes refused a trusted caller');
  return hashed;
}

/**
 * Returns whether a password matches a stored hash, or `busy` if too many requests of strangers wait. `stored` is null for an
 * unknown user: the check then takes the same time and returns false.
 */
export async function passwordMatches(password: string, stored: string | null, lane: HashLane = 'trusted'): Promise<boolean | 'busy'> {
  const against = stored ?? (await dummyHash());
  const matches = await hashQueue().run(lane, () => verify(against, password.normalize('NFKC')));
  return matches === 'busy' ? matches : matches && stored !== null;
}

let dummy: Promise<string> | undefined;

function dummyHash(): Promise<string> {
  dummy ??= hashPassword('nobody has this password');
  return dummy;
}

/** Returns a random password of 24 letters and digits, to be shown once. */
export function makePassword(random: Random): string {
  return randomBase62(random, 24);
}

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
function hashQueue(): HashQueue {
  globalThis.biliHashQueue ??= createHashQueue();
  return globalThis.biliHashQueue;
}
