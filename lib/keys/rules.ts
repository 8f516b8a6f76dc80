import { hash, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { randomBase62, toBase62 } from '@/lib/core/base62';
import type { Random } from '@/lib/core/clock';
import type { Senti } from '@/lib/core/money';
import type { ProfileStatus } from '@/lib/core/profile-status';
import type { Environment, Scope } from '@/lib/core/scope';

/**
 * An API key's two halves. Both carry the environment and a CRC-32 of the rest (six characters, as GitHub's tokens do), so
 * that a mistyped or invented one is known without asking the database. `scanner-pattern.ts` has what secret scanners look for.
 */
export interface KeyPair {
  readonly id: string;
  readonly secret: string;
}

/** What a stored key says about a caller. */
export interface StoredKey extends Scope {
  readonly id: string;
  /** The first key of its line, with which what they all bill in a day is counted. */
  readonly firstId: string;
  readonly secretHash: Uint8Array;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly profileStatus: ProfileStatus;
  readonly uniqueReferences: boolean;
  /** Addresses and networks that it may be used from; none means any. */
  readonly networks: readonly string[];
  /** The largest bill that it may create, and the most in one day of East Africa; senti. */
  readonly billMax: Senti | null;
  readonly dayMax: Senti | null;
}

const ID_LENGTH = 16;
const SECRET_LENGTH = 43;

/** @returns a new pair; the secret has 256 random bits, so a plain SHA-256 of it can be stored. */
export function makeKeyPair(environment: Environment, random: Random): KeyPair {
  return {
    id: withChecksum(`bili_${environment}_key_${randomBase62(random, ID_LENGTH)}`),
    secret: withChecksum(`bili_${environment}_secret_${randomBase62(random, SECRET_LENGTH)}`),
  };
}

/** @returns whether a text could be a key's public id; one that could not needs no look-up. */
export function isKeyId(text: string): boolean {
  return /^bili_(live|sandbox)_key_[0-9A-Za-z]{22}$/.test(text) && withChecksum(text.slice(0, -6)) === text;
}

/** @returns whether a text has a key's or a secret's form and a wrong checksum: a character of it was mistyped or lost. */
export function isMistyped(text: string): boolean {
  return /^bili_(live|sandbox)_(key|secret)_[0-9A-Za-z]{6,60}$/.test(text) && withChecksum(text.slice(0, -6)) !== text;
}

export function hashSecret(secret: string): Uint8Array<ArrayBuffer> {
  return hash('sha256', secret, 'buffer');
}

/** Compares in constant time. */
export function secretMatches(secret: string, expected: Uint8Array): boolean {
  return timingSafeEqual(hashSecret(secret), expected);
}

export function isUsable(key: Pick<StoredKey, 'expiresAt' | 'revokedAt'>, now: Date): boolean {
  return key.revokedAt === null && (key.expiresAt === null || key.expiresAt > now);
}

/** @returns the two halves of an `Authorization: ApiKey <key>:<secret>` header, split at the first colon. */
export function readAuthorization(header: string | null): KeyPair | null {
  const match = /^apikey +([^\s:]+):(.+)$/i.exec(header ?? '');
  return match?.[1] && match[2] ? { id: match[1], secret: match[2] } : null;
}

function withChecksum(text: string): string {
  return text + toBase62(crc32(text));
}
