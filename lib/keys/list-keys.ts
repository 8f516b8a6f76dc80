import type { MerchantAccess } from '@/lib/accounts/grant-access';
import type { Runtime } from '@/lib/config/runtime';
import { isUsable } from './rules';
import { listKeyRows } from './store';

/** An API key as the dashboard shows it: never its secret. */
export interface KeyView {
  readonly id: string;
  readonly label: string;
  /** A person's e-mail address, or `operator`. */
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly state: 'active' | 'revoked' | 'expired';
}

/** @returns the keys of a merchant: those that work first, newest first. */
export async function listKeys({ db, clock }: Pick<Runtime, 'db' | 'clock'>, { scope }: MerchantAccess): Promise<KeyView[]> {
  const now = clock();
  const keys = (await listKeyRows(db, scope)).map(({ revokedAt, createdBy, ...row }): KeyView => {
    const state = revokedAt ? 'revoked' : isUsable({ ...row, revokedAt }, now) ? 'active' : 'expired';
    const [kind = '', name = ''] = createdBy.split(/:(.*)/s);
    return { ...row, createdBy: kind === 'user' ? name : kind, state };
  });
  return [...keys.filter(({ state }) => state === 'active'), ...keys.filter(({ state }) => state !== 'active')];
}
