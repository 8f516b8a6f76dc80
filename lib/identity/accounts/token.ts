import { hash } from 'node:crypto';
import type { Random } from '@/lib/platform/core/clock';

/** Returns a new secret for a cookie or a link: 256 random bits. */
export function newToken(random: Random): string {
  return Buffer.from(random(32)).toString('base64url');
}

/**
 * Returns the hash of a token, for storage. A plain hash is enough for 256 random bits. What follows the token is ignored: chat programs
 * append to a link the full stop or bracket that follows it.
 */
export function hashToken(token: string): Uint8Array<ArrayBuffer> {
  const [given = ''] = /^[\w-]*/.exec(token) ?? [];
  return new Uint8Array(hash('sha256', given, 'buffer'));
}
