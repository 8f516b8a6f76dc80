import { type MerchantAccess, may } from '@/lib/accounts/access/grant-access';
import type { Scope } from '@/lib/core/scope';
import type { ReadRuntime } from '@/lib/runtime/runtime';
import { type KeyView, keyView } from './key-view';
import { listKeyRows } from './store';

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
