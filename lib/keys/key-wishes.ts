import { addMs, DAY_MS } from '@/lib/core/clock';
import { parseDay } from '@/lib/core/instant';
import { parseDecimal, type Senti } from '@/lib/core/money';
import { fail, ok, type Result } from '@/lib/core/result';
import { parseNetworks } from './network-rules';
import type { KeyChange } from './store';

export const LABEL_MAX = 60;
/** How long a key may be chosen to work, days; beside these `never`, `date`, and for one that is there `keep`. */
const LIFETIMES = ['30', '90', '365'] as const;
/** Above what any bill may be; far below what a bigint column holds. */
const SHILLINGS_MAX = 1_000_000_000_000n;

/** What somebody typed about a key. */
export interface KeyWishes {
  readonly label: string;
  /** `never`, a number of days from now, `date` for the day beside it, or `keep`. */
  readonly expiry: string;
  /** `2026-11-20`: it works until the end of that day in East Africa. */
  readonly expiryDay: string;
  readonly networks: string;
  /** Shillings; empty for no limit. */
  readonly billMax: string;
  readonly dayMax: string;
}

export interface WishProblem {
  readonly field: keyof KeyWishes;
  readonly code:
    | 'label_required'
    | 'label_too_long'
    | 'expiry_invalid'
    | 'expiry_past'
    | 'not_a_network'
    | 'too_many_networks'
    | 'limit_invalid'
    | 'day_below_bill';
  /** What of it is wrong, or how much is allowed. */
  readonly text: string;
}

/** @param present when the key expires by now, for `keep`. Pure. @returns what to store, or the first problem. */
export function readKeyWishes(wishes: KeyWishes, now: Date, present: Date | null = null): Result<KeyChange, WishProblem> {
  const label = wishes.label
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .toWellFormed();
  if (label === '') return problem('label', 'label_required');
  if (label.length > LABEL_MAX) return problem('label', 'label_too_long', String(LABEL_MAX));
  const expiresAt = readExpiry(wishes, now, present);
  if (expiresAt === undefined) return problem('expiryDay', 'expiry_invalid');
  if (expiresAt !== null && expiresAt <= now && expiresAt !== present) return problem('expiryDay', 'expiry_past');
  const networks = parseNetworks(wishes.networks);
  if (!networks.ok) return problem('networks', networks.error.code, networks.error.text);
  const billMax = readLimit(wishes.billMax);
  if (billMax === undefined) return problem('billMax', 'limit_invalid');
  const dayMax = readLimit(wishes.dayMax);
  if (dayMax === undefined) return problem('dayMax', 'limit_invalid');
  if (billMax !== null && dayMax !== null && dayMax < billMax) return problem('dayMax', 'day_below_bill');
  return ok({ label, expiresAt, networks: networks.value, billMax, dayMax });
}

function problem(field: WishProblem['field'], code: WishProblem['code'], text = ''): Result<never, WishProblem> {
  return fail({ field, code, text });
}

/** @returns undefined for what cannot be read. */
function readExpiry({ expiry, expiryDay }: KeyWishes, now: Date, present: Date | null): Date | null | undefined {
  if (expiry === 'never') return null;
  if (expiry === 'keep') return present;
  if (expiry === 'date') {
    const day = parseDay(expiryDay.trim());
    return day ? addMs(day, DAY_MS) : undefined;
  }
  const days = LIFETIMES.find((one) => one === expiry);
  return days ? addMs(now, Number(days) * DAY_MS) : undefined;
}

/** @returns senti; null where nothing is written, undefined for what is no amount above nothing. */
function readLimit(text: string): Senti | null | undefined {
  const plain = text.replace(/[\s,]/g, '');
  if (plain === '') return null;
  const decimal = /^\d+(\.\d{1,2})?$/.test(plain) ? parseDecimal(plain) : null;
  if (!decimal) return undefined;
  const senti = decimal.digits * 10n ** BigInt(2 - decimal.decimals);
  return senti > 0n && senti <= SHILLINGS_MAX * 100n ? senti : undefined;
}
