import { createHmac, timingSafeEqual } from 'node:crypto';
import { MINUTE_MS, SECOND_MS } from '@/lib/core/clock';
import type { RawCallback } from '@/lib/providers/port/port';
import { SIGNATURE_HEADER, TIMESTAMP_HEADER } from './wire';

/** An older webhook is refused, so that nobody can record a webhook and send it again later. */
const MAX_AGE_MS = 5 * MINUTE_MS;

/** Signs the body of a webhook. @param timestamp seconds since 1970, as the header contains it. */
export function signWebhook(secret: string, timestamp: string, body: Uint8Array | string): string {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
}

/** Returns whether a webhook has a valid signature and a timestamp that differs from `now` by at most five minutes. */
export function isSigned({ headers, body }: RawCallback, secret: string, now: Date): boolean {
  const timestamp = headers[TIMESTAMP_HEADER] ?? '';
  const given = Buffer.from(headers[SIGNATURE_HEADER] ?? '', 'hex');
  const expected = Buffer.from(signWebhook(secret, timestamp, body), 'hex');
  const age = Math.abs(now.getTime() - Number(timestamp) * SECOND_MS);
  return /^\d+$/.test(timestamp) && age <= MAX_AGE_MS && given.length === expected.length && timingSafeEqual(given, expected);
}
