import { v7 } from 'uuid';
import type { Clock, Random } from './clock';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const REFERENCE_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Creates a UUIDv7: it starts with the time of its creation, followed by 74 random bits. */
export function newId({ clock, random }: { readonly clock: Clock; readonly random: Random }): string {
  return v7({ msecs: clock().getTime(), random: random(16) });
}

/** The last instant that a UUIDv7 can hold: 48 bits of milliseconds. */
export const LAST_ID_MS = 2 ** 48 - 1;

/** Returns the lowest UUIDv7 of an instant in milliseconds. A UUIDv7 starts with its time (RFC 9562), so a period is an index range of ids. */
export function lowestId(ms: number): string {
  const hex = Math.min(Math.max(ms, 0), LAST_ID_MS).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Creates our reference of an attempt: 20 upper-case letters and digits (100 random bits), a form that every provider accepts. */
export function newPaymentReference(random: Random): string {
  return Array.from(random(20), (byte) => REFERENCE_ALPHABET[byte % 32]).join('');
}
