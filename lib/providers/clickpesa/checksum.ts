import { createHmac, timingSafeEqual } from 'node:crypto';
import { isRecord } from '@/lib/core/is-record';
import { CHECKSUM_MEMBERS } from './wire';

/** `canonical`: over the whole JSON with sorted keys. `legacy`, documented in March 2025: over the values in the order of their keys. */
export const CHECKSUM_SCHEMES = ['canonical', 'legacy'] as const;
type Scheme = (typeof CHECKSUM_SCHEMES)[number];

/** Computes the checksum of a message: hexadecimal HMAC-SHA256 over JSON with sorted keys and no spaces, without the checksum itself. */
export function checksumOf(message: Readonly<Record<string, unknown>>, key: string, scheme: Scheme = 'canonical'): string {
  const covered = Object.fromEntries(Object.entries(message).filter(([name]) => !CHECKSUM_MEMBERS.includes(name)));
  const text =
    scheme === 'canonical'
      ? JSON.stringify(sorted(covered))
      : Object.keys(covered)
          .sort()
          .map((name) => String(covered[name]))
          .join('');
  return createHmac('sha256', key).update(text).digest('hex');
}

export function fits(message: Readonly<Record<string, unknown>>, given: string | undefined, key: string, scheme: Scheme): boolean {
  const [received, expected] = [Buffer.from(given ?? '', 'hex'), Buffer.from(checksumOf(message, key, scheme), 'hex')];
  return received.length === expected.length && timingSafeEqual(received, expected);
}

/** ClickPesa's messages have three levels. The limit keeps a forged message from exhausting the stack. */
const LEVELS_MAX = 10;

function sorted(value: unknown, level = 0): unknown {
  if (level > LEVELS_MAX) return null;
  if (Array.isArray(value)) return value.map((one) => sorted(one, level + 1));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sorted(value[name], level + 1)]),
  );
}
