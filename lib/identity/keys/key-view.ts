import { addMs, DAY_MS } from '@/lib/platform/core/clock';
import { isUsable } from './rules';
import type { KeyRow } from './store';

/** Keys that expire within this time are shown with a warning. */
const EXPIRES_SOON_MS = 14 * DAY_MS;

/** An API key as the dashboard shows it. `createdBy` is a user's e-mail address or a kind of actor, such as `operator`. */
export interface KeyView extends Omit<KeyRow, 'revokedAt'> {
  readonly state: 'active' | 'revoked' | 'expired';
  /** Whether the key is active, expires soon, and has no successor. */
  readonly endsSoon: boolean;
}

export function keyView({ revokedAt, createdBy, ...row }: KeyRow, now: Date): KeyView {
  const state = revokedAt ? 'revoked' : isUsable({ ...row, revokedAt }, now) ? 'active' : 'expired';
  const [kind = '', name = ''] = createdBy.split(/:(.*)/s);
  const endsSoon = state === 'active' && row.replacedById === null && row.expiresAt !== null && row.expiresAt < addMs(now, EXPIRES_SOON_MS);
  return { ...row, createdBy: kind === 'user' ? name : kind, state, endsSoon };
}
