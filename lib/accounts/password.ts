import { hash, verify } from '@node-rs/argon2';
import { randomBase62 } from '@/lib/core/base62';
import type { Random } from '@/lib/core/clock';

// OWASP's first choice for Argon2id: 19 MiB, two passes, one lane (the library's default algorithm is Argon2id).
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFKC'), COST);
}

/** @param stored the hash, or null for a user who does not exist: the same time is spent and the answer is no. */
export async function passwordMatches(password: string, stored: string | null): Promise<boolean> {
  const matches = await verify(stored ?? (await nobodysHash()), password.normalize('NFKC'));
  return matches && stored !== null;
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
