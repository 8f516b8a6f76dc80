import { hash } from 'node:crypto';
import type { Random } from '@/lib/core/clock';

/** Returns a new secret for a cookie or a link: 256 random bits. */
export function newToken(random: Random): string {
  return Buffer.from(random(32)).toString('base64url');
}

/** Returns the hash of a token, for storage. A plain hash is enough for 256 random bits. */
export function hashToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hash('sha256', token, 'buffer'));
}
