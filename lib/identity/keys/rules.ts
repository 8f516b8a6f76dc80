import { hash, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { KeyScope } from '@/lib/identity/accounts/key-scopes';
import { randomBase62, toBase62 } from '@/lib/platform/core/base62';
import type { Random } from '@/lib/platform/core/clock';
import type { Senti } from '@/lib/platform/core/money';
import type { ProfileStatus } from '@/lib/platform/core/profile-status';
import type { Environment, Scope } from '@/lib/platform/core/scope';

/**
 * The public id and the secret of an API key. Both contain the environment and end with a CRC-32 of the rest (six characters, as
 * GitHub's tokens do), so that a mistyped or invented id or secret is detected without a database query. The
 * documentation (`going-live.md`) has the pattern for secret scanners.
 */
export interface KeyPair {
  readonly id: string;
  readonly secret: string;
}

/** A stored key, with its merchant and environment and with what its callers may do. */
export interface StoredKey extends Scope {
  readonly id: string;
  /** The id of the oldest key that this key was rolled from, or its own id. All keys with the same `firstId` share one daily total. */
  readonly firstId: string;
  readonly secretHash: Uint8Array;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly profileStatus: ProfileStatus;
  readonly uniqueReferences: boolean;
  /** The origins to which the payment pages of the merchant may link back. */
  readonly returnOrigins: readonly string[];
  /** IP addresses and networks that the key may be used from. Empty if every address is allowed. */
  readonly networks: readonly string[];
  /** The limit of each bill, and of all bills of a day in East Africa, in senti. Null for no limit. */
  readonly billMax: Senti | null;
  readonly dayMax: Senti | null;
  readonly scopes: readonly KeyScope[];
}

const ID_LENGTH = 16;
const SECRET_LENGTH = 43;

/** Returns a new key. Nobody can guess its secret of 256 random bits, so it is safe to store a plain SHA-256 hash of it. */
export function makeKeyPair(environment: Environment, random: Random): KeyPair {
  return {
    id: withChecksum(`bili_${environment}_key_${randomBase62(random, ID_LENGTH)}`),
    secret: withChecksum(`bili_${environment}_secret_${randomBase62(random, SECRET_LENGTH)}`),
  };
}

/** Returns whether a text has the form of a public key id. Other texts need no database query. */
export function isKeyId(text: string): boolean {
  return /^bili_(live|sandbox)_key_[0-9A-Za-z]{22}$/.test(text) && withChecksum(text.slice(0, -6)) === text;
}

/** Returns whether a text has the form of a key id or a secret but a wrong checksum: a character was mistyped or lost. */
export function isMistyped(text: string): boolean {
  return /^bili_(live|sandbox)_(key|secret)_[0-9A-Za-z]{6,60}$/.test(text) && withChecksum(text.slice(0, -6)) !== text;
}

export function hashSecret(secret: string): Uint8Array<ArrayBuffer> {
  return hash('sha256', secret, 'buffer');
}

/** Compares a secret with a stored hash in constant time. */
export function secretMatches(secret: string, expected: Uint8Array): boolean {
  return timingSafeEqual(hashSecret(secret), expected);
}

export function isUsable(key: Pick<StoredKey, 'expiresAt' | 'revokedAt'>, now: Date): boolean {
  return key.revokedAt === null && (key.expiresAt === null || key.expiresAt > now);
}

/** Parses an `Authorization: ApiKey <key>:<secret>` header. Splits it at the first colon. */
export function readAuthorization(header: string | null): KeyPair | null {
  const match = /^apikey +([^\s:]+):(.+)$/i.exec(header ?? '');
  return match?.[1] && match[2] ? { id: match[1], secret: match[2] } : null;
}

function withChecksum(text: string): string {
  return text + toBase62(crc32(text));
}
