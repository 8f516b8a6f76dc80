import { type MerchantAccess, may } from '@/lib/identity/accounts/access/grant-access';
import { addMs, DAY_MS } from '@/lib/platform/core/clock';
import { eastAfricanDay } from '@/lib/platform/core/east-african-day';
import type { Senti } from '@/lib/platform/core/money';
import type { Scope } from '@/lib/platform/core/scope';
import type { ReadRuntime } from '@/lib/platform/runtime/runtime';
import { countUses, type KeyDay, listKeyDays } from './day-store';
import { type KeyView, keyView } from './key-view';
import { adviseRevocation, type RevocationAdvice } from './revocation-rules';
import { isKeyId } from './rules';
import { findScopedKey, listKeyRows } from './store';

/** Returns a merchant's keys: active ones first, then newest first. Returns none if the role may not see keys. */
export async function listKeys({ db, clock }: ReadRuntime, access: MerchantAccess): Promise<KeyView[]> {
  if (!may(access, 'keys.view')) return [];
  const now = clock();
  const keys = (await listKeyRows(db, access.scope)).map((row) => keyView(row, now));
  return [...keys.filter(({ state }) => state === 'active'), ...keys.filter(({ state }) => state !== 'active')];
}

/** Returns a merchant's keys that expire soon and have no successor, in the order of their expiry. */
export async function listExpiringKeys({ db, clock }: ReadRuntime, scope: Scope): Promise<KeyView[]> {
  const ends = ({ expiresAt }: KeyView) => expiresAt?.getTime() ?? 0;
  const keys = (await listKeyRows(db, scope)).map((row) => keyView(row, clock()));
  return keys.filter(({ endsSoon }) => endsSoon).sort((a, b) => ends(a) - ends(b));
}

const DAYS_SHOWN = 14;

export interface ShownKey extends KeyView {
  /** The last two weeks, oldest first, including days without uses. */
  readonly days: readonly KeyDay[];
  /** Today's total of the bills of this key and the keys that it was rolled from. Null without a daily limit. */
  readonly billedToday: Senti | null;
  readonly replaces: KeyView | null;
  readonly replacedBy: KeyView | null;
  /**
   * Whether the old key of a pair can be revoked. The pair is this key and its successor. If there is no successor, it is the predecessor
   * and this key. Null if there is no pair, or if the old key does not work any more.
   */
  readonly drop: { readonly answer: RevocationAdvice; readonly old: KeyView; readonly successor: KeyView; readonly newUses: number } | null;
}

/** Returns a key of the merchant with its uses. Returns undefined if there is no such key or the role may not see keys. */
export async function showKey({ db, clock }: ReadRuntime, access: MerchantAccess, id: string): Promise<ShownKey | undefined> {
  if (!may(access, 'keys.view') || !isKeyId(id)) return undefined;
  const now = clock();
  const find = async (wanted: string | null) => {
    const row = wanted === null ? undefined : await findScopedKey(db, access.scope, wanted, { lock: false });
    return row ? keyView(row, now) : null;
  };
  const key = await find(id);
  if (!key) return undefined;
  const [replaces, replacedBy] = await Promise.all([find(key.replacesId), find(key.replacedById)]);
  const wanted = Array.from({ length: DAYS_SHOWN }, (_, ago) => eastAfricanDay(addMs(now, -ago * DAY_MS))).reverse();
  const found = await listKeyDays(db, key, wanted[0] ?? '');
  const days = wanted.map((day) => found.find((one) => one.day === day) ?? { day, uses: 0, billed: 0n });
  const [old, successor] = replacedBy ? [key, replacedBy] : [replaces, key];
  const newUses = old?.state === 'active' ? await countUses(db, successor.id, eastAfricanDay(successor.createdAt)) : 0;
  return {
    ...key,
    days,
    billedToday: key.dayMax === null ? null : (days.at(-1)?.billed ?? 0n),
    replaces,
    replacedBy,
    drop:
      old?.state === 'active'
        ? { answer: adviseRevocation({ oldUsedAt: old.lastUsedAt, rolledAt: successor.createdAt, newUses, now }), old, successor, newUses }
        : null,
  };
}
