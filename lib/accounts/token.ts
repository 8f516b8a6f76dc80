import { hash } from 'node:crypto';
import type { Random } from '@/lib/core/clock';

/** @returns a secret for a cookie or a link: 256 random bits. */
export function newToken(random: Random): string {
  return Buffer.from(random(32)).toString('base64url');
}

/** @returns what is stored of it. With so many random bits a plain hash is enough. */
export function hashToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hash('sha256', token, 'buffer'));
}
