import { v7 } from 'uuid';
import type { Clock, Random } from './clock';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const REFERENCE_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** What making an id needs. */
interface IdSource {
  readonly clock: Clock;
  readonly random: Random;
}

/** @returns a UUIDv7: ordered by creation, 74 random bits. */
export function newId({ clock, random }: IdSource): string {
  return v7({ msecs: clock().getTime(), random: random(16) });
}

/** The last instant that fits into an id: 48 bits of milliseconds. */
export const LAST_ID_MS = 2 ** 48 - 1;

/** @returns the lowest id of an instant, milliseconds: ids begin with it (RFC 9562), so that a period is a range of an index. */
export function lowestId(ms: number): string {
  const hex = Math.min(Math.max(ms, 0), LAST_ID_MS).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/**
 * @returns our reference of a push attempt: 20 upper-case letters and digits (100 random bits), the form that every
 *   provider's reference field takes.
 */
export function newPaymentReference(random: Random): string {
  return Array.from(random(20), (byte) => REFERENCE_ALPHABET[byte % 32]).join('');
}
