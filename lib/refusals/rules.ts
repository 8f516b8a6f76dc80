import { addMs, DAY_MS } from '@/lib/core/clock';
import type { Environment } from '@/lib/core/scope';

/** ACTIVE stops every prompt to a number; REQUESTED changes nothing yet; LIFTED is over. */
export const REFUSAL_STATES = ['REQUESTED', 'ACTIVE', 'LIFTED'] as const;
export type RefusalState = (typeof REFUSAL_STATES)[number];

/** That a number shall never be prompted: asked for on the payment page by anybody, decided by the operator. */
export interface Refusal {
  readonly id: string;
  readonly environment: Environment;
  readonly mobile: string;
  readonly state: RefusalState;
  /** What the page gave to whoever asked; null where nobody asked there. */
  readonly code: string | null;
  readonly reason: string | null;
  readonly requestedAt: Date;
  /** The holder of the address that it was asked from. */
  readonly requestedFrom: string | null;
  readonly decidedAt: Date | null;
  readonly decidedBy: string | null;
}

/** How long the operator can be told a code, milliseconds. */
const CODE_MS = 7 * DAY_MS;
/** How many numbers one holder of addresses can name in a day: thousands may share one address, but few of them ask for this. */
export const MOST_REQUESTS = 50;
export const REASON_MAX = 200;

export function codeExpiry(requestedAt: Date): Date {
  return addMs(requestedAt, CODE_MS);
}

/** @returns the latest `requestedAt` of a request whose code has expired at an instant. */
export function expiredSince(now: Date): Date {
  return addMs(now, -CODE_MS);
}

/** @returns six digits: easy to say on the phone, in any language. @param bytes four random ones. */
export function newCode(bytes: Uint8Array): string {
  const number = bytes.reduce((value, byte) => value * 256 + byte, 0);
  return String(number % 1_000_000).padStart(6, '0');
}
