import { DAY_MS, HOUR_MS } from '@/lib/platform/core/clock';

/**
 * How long a cashier's session lasts at most, which is the longest possible shift. The session ends earlier if it is not used for the idle
 * time that applies to all sessions.
 */
export const CASHIER_SESSION_MS = 14 * HOUR_MS;

/** How long a link for a cashier works. */
export const CASHIER_LINK_MS = 7 * DAY_MS;

/** How many PINs may be entered on a device before it is locked. A right PIN resets the number. `wrongPinCounters` has a second limit. */
export const PINS_MAX = 5;

export const PIN = /^\d{6}$/;
const RUNS = ['01234567890123456789', '98765432109876543210'];

/** Why a PIN is not accepted. */
export type PinProblem = 'pin_not_six_digits' | 'pin_too_easy';

/** Pure. Checks a new PIN: six digits that are no repetition, no sequence, no keypad pattern and no part of the cashier's phone number. */
export function pinProblem(pin: string, mobile: string): PinProblem | null {
  if (!PIN.test(pin)) return 'pin_not_six_digits';
  const repeated = /^(\d{1,3})\1+$/.test(pin) || /^(\d)\1{2}(\d)\2{2}$/.test(pin) || /^(\d)\1(\d)\2(\d)\3$/.test(pin);
  const mirrored = [...pin].reverse().join('') === pin;
  const run = RUNS.some((line) => line.includes(pin) || (line.includes(pin.slice(0, 3)) && line.includes(pin.slice(3))));
  const column = ['147258', '258369', '159753', '147369', '741852'].includes(pin);
  return repeated || mirrored || run || column || mobile.includes(pin) ? 'pin_too_easy' : null;
}

/**
 * Pure. Returns the login name of a cashier. It is stored instead of an e-mail address and is never an e-mail address. It contains the slug
 * of the merchant. Therefore one phone number can have an account at each of several merchants, and no merchant learns of the other
 * accounts.
 */
export function cashierLogin(mobile: string, slug: string): string {
  return `${mobile}/${slug}`;
}
