import { parseKeyScopes } from '@/lib/identity/accounts/key-scopes';
import { addMs, DAY_MS } from '@/lib/platform/core/clock';
import { eastAfricanDay } from '@/lib/platform/core/east-african-day';
import { parseDay } from '@/lib/platform/core/instant';
import { formatApiAmount, parseDecimal, type Senti } from '@/lib/platform/core/money';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import { readDay } from '@/lib/platform/i18n/typed-day';
import { parseNetworks } from './network-rules';
import type { KeyChange } from './store';

export const LABEL_MAX = 60;
/** The lifetimes that can be chosen, in days. The other choices are `never`, `date`, and `keep` for an existing key. */
const LIFETIMES = ['30', '90', '365'] as const;
/** The highest limit: more than the amount of any bill, and far less than a bigint column can hold. */
const SHILLINGS_MAX = 1_000_000_000_000n;

export interface KeyFormValues {
  readonly label: string;
  /** `never`, a number of days from now, `date` for the day in `expiryDay`, or `keep` for the present expiry of an existing key. */
  readonly expiry: string;
  /** A day, as `readDay` accepts it. The key works until the end of that day in East Africa. */
  readonly expiryDay: string;
  /** The scopes, separated by spaces. */
  readonly scopes: string;
  readonly networks: string;
  /** The limit of each bill in shillings. Empty for no limit. */
  readonly billMax: string;
  readonly dayMax: string;
}

export interface KeyFormProblem {
  readonly field: keyof KeyFormValues;
  readonly code:
    | 'label_required'
    | 'label_too_long'
    | 'expiry_invalid'
    | 'expiry_past'
    | 'scope_required'
    | 'not_a_network'
    | 'too_many_networks'
    | 'limit_invalid'
    | 'day_below_bill';
  /** The invalid part of the field's value, or the maximum that the value exceeds. Empty for all other problems. */
  readonly text: string;
}

/**
 * Pure. Validates form values. Returns what to store, or the first problem.
 * @param present when the key that is changed expires, for the choice `keep`. Null for a key that never expires, and for a new key.
 */
export function parseKeyForm(values: KeyFormValues, now: Date, present: Date | null = null): Result<KeyChange, KeyFormProblem> {
  const label = values.label
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .toWellFormed();
  if (label === '') return problem('label', 'label_required');
  if (label.length > LABEL_MAX) return problem('label', 'label_too_long', String(LABEL_MAX));
  const expiresAt = readExpiry(values, now, present);
  if (expiresAt === undefined) return problem('expiryDay', 'expiry_invalid');
  if (expiresAt !== null && expiresAt <= now && expiresAt !== present) return problem('expiryDay', 'expiry_past');
  const scopes = parseKeyScopes(values.scopes);
  if (scopes === null) return problem('scopes', 'scope_required');
  const networks = parseNetworks(values.networks);
  if (!networks.ok) return problem('networks', networks.error.code, networks.error.text);
  const billMax = readLimit(values.billMax);
  if (billMax === undefined) return problem('billMax', 'limit_invalid');
  const dayMax = readLimit(values.dayMax);
  if (dayMax === undefined) return problem('dayMax', 'limit_invalid');
  if (billMax !== null && dayMax !== null && dayMax < billMax) return problem('dayMax', 'day_below_bill');
  return ok({ label, expiresAt, scopes, networks: networks.value, billMax, dayMax });
}

function problem(field: KeyFormProblem['field'], code: KeyFormProblem['code'], text = ''): Result<never, KeyFormProblem> {
  return fail({ field, code, text });
}

/** Returns when the key expires; null for never, undefined for an invalid expiry. */
function readExpiry({ expiry, expiryDay }: KeyFormValues, now: Date, present: Date | null): Date | null | undefined {
  if (expiry === 'never') return null;
  if (expiry === 'keep') return present;
  if (expiry === 'date') {
    const day = parseDay(readDay(expiryDay, eastAfricanDay(now)) ?? '');
    return day ? addMs(day, DAY_MS) : undefined;
  }
  const days = LIFETIMES.find((one) => one === expiry);
  return days ? addMs(now, Number(days) * DAY_MS) : undefined;
}

/** Returns senti. Returns null for an empty text, and undefined for any other text that is not an amount from 0.01 to SHILLINGS_MAX. */
function readLimit(text: string): Senti | null | undefined {
  const plain = text.replace(/[\s,]/g, '');
  if (plain === '') return null;
  const decimal = /^\d+(\.\d{1,2})?$/.test(plain) ? parseDecimal(plain) : null;
  if (!decimal) return undefined;
  const senti = decimal.digits * 10n ** BigInt(2 - decimal.decimals);
  return senti > 0n && senti <= SHILLINGS_MAX * 100n ? senti : undefined;
}

export function keyFormValues({ label, scopes, networks, billMax, dayMax }: Omit<KeyChange, 'expiresAt'>): KeyFormValues {
  const kept = { label, expiry: 'keep', expiryDay: '', scopes: scopes.join(' '), networks: networks.join('\n') };
  return { ...kept, billMax: written(billMax), dayMax: written(dayMax) };
}

function written(limit: Senti | null): string {
  return limit === null ? '' : formatApiAmount(limit).replace(/\.0$/, '');
}
