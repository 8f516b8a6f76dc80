import { createHmac, timingSafeEqual } from 'node:crypto';
import { HOUR_MS } from '@/lib/core/clock';
import type { Fields } from './wire';

const EAST_AFRICA_MS = 3 * HOUR_MS;

/** Formats a time as Selcom expects it: East Africa Time, without milliseconds. */
export function formatTimestamp(now: Date): string {
  return `${new Date(now.getTime() + EAST_AFRICA_MS).toISOString().slice(0, 19)}+03:00`;
}

/**
 * Computes the digest of a message: Base64 of HMAC-SHA256 over its timestamp and fields. Values are not URL-encoded.
 * @param fields the signed fields in their order.
 */
export function digestOf(timestamp: string, fields: Fields, secret: string): string {
  const text = [['timestamp', timestamp], ...Object.entries(fields)].map(([name, value]) => `${name}=${value}`).join('&');
  return createHmac('sha256', secret).update(text).digest('base64');
}

export function authorizationOf(apiKey: string): string {
  return `SELCOM ${Buffer.from(apiKey).toString('base64')}`;
}

/** Creates the headers that authenticate a request. @param fields all fields of its body or query. */
export function signHeaders(fields: Fields, { apiKey, apiSecret }: { readonly apiKey: string; readonly apiSecret: string }, now: Date) {
  const timestamp = formatTimestamp(now);
  return {
    authorization: authorizationOf(apiKey),
    timestamp,
    'digest-method': 'HS256',
    digest: digestOf(timestamp, fields, apiSecret),
    'signed-fields': Object.keys(fields).join(','),
  };
}

/**
 * Returns the names of the fields that the digest of a message proves; null if the message has no valid digest. A field that the message
 * does not contain makes the digest invalid.
 * @param values the fields of the message.
 */
export function provenFields(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  values: Readonly<Record<string, unknown>>,
  secret: string,
): readonly string[] | null {
  const { timestamp, digest, 'signed-fields': signed, 'digest-method': method = 'HS256' } = headers;
  if (typeof timestamp !== 'string' || typeof digest !== 'string' || typeof signed !== 'string' || method !== 'HS256') return null;
  const names = signed.split(',');
  const fields: Record<string, string | number> = {};
  for (const name of names) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (typeof value !== 'string' && typeof value !== 'number') return null;
    fields[name] = value;
  }
  // Refuses a list of names that the object `fields` cannot represent: an object has each name once, and moves names that are numbers to
  // the front.
  if (Object.keys(fields).join(',') !== signed) return null;
  const expected = Buffer.from(digestOf(timestamp, fields, secret));
  const given = Buffer.from(digest);
  return given.length === expected.length && timingSafeEqual(given, expected) ? names : null;
}
