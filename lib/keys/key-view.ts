import { addMs, DAY_MS } from '@/lib/core/clock';
import { isUsable } from './rules';
import type { KeyRow } from './store';

/** Whoever has a key that ends within this time is told. */
const EXPIRES_SOON_MS = 14 * DAY_MS;

/** An API key as the dashboard shows it: never its secret. */
export interface KeyView extends Omit<KeyRow, 'revokedAt'> {
  /** `createdBy` is a person's e-mail address, or `operator`. */
  readonly state: 'active' | 'revoked' | 'expired';
  /** It works, ends soon, and no successor has been made. */
  readonly endsSoon: boolean;
}

/** Pure. */
export function keyView({ revokedAt, createdBy, ...row }: KeyRow, now: Date): KeyView {
  const state = revokedAt ? 'revoked' : isUsable({ ...row, revokedAt }, now) ? 'active' : 'expired';
  const [kind = '', name = ''] = createdBy.split(/:(.*)/s);
  const endsSoon = state === 'active' && row.replacedById === null && row.expiresAt !== null && row.expiresAt < addMs(now, EXPIRES_SOON_MS);
  return { ...row, createdBy: kind === 'user' ? name : kind, state, endsSoon };
}
