import { hash, verify } from '@node-rs/argon2';
import { randomBase62 } from '@/lib/core/base62';
import type { Random } from '@/lib/core/clock';
import { type HashLane, hashQueue } from './hash-queue';

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
