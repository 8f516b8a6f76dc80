import { hash, verify } from '@node-rs/argon2';
import { randomBase62 } from '@/lib/core/base62';
import type { Random } from '@/lib/core/clock';
import { type HashLane, hashQueue } from './hash-queue';

// OWASP's first choice for Argon2id: 19 MiB, two passes, one lane (the library's default algorithm is Argon2id).
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Hashes a password to store, for somebody whom a link, a session or the operator stands behind. */
export async function hashPassword(password: string): Promise<string> {
  const hashed = await hashQueue().run('trusted', () => hash(password.normalize('NFKC'), COST));
  if (hashed === 'busy') throw new Error('a trusted caller is never refused');
  return hashed;
}

/**
 * @param stored the hash, or null for a user who does not exist: the same time is spent and the answer is no.
 * @returns whether it is this password, or `busy` when too many strangers wait for their hash.
 */
export async function passwordMatches(password: string, stored: string | null, lane: HashLane = 'trusted'): Promise<boolean | 'busy'> {
  const against = stored ?? (await nobodysHash());
  const matches = await hashQueue().run(lane, () => verify(against, password.normalize('NFKC')));
  return matches === 'busy' ? matches : matches && stored !== null;
}

let nobody: Promise<string> | undefined;

function nobodysHash(): Promise<string> {
  nobody ??= hashPassword('nobody has this password');
  return nobody;
}

/** @returns a password to hand over once: 24 letters and digits. */
export function makePassword(random: Random): string {
  return randomBase62(random, 24);
}
