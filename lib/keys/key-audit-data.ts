import { formatApiAmount } from '@/lib/core/money';
import type { KeyChange } from './store';

/** Returns the fields of a key that can be changed, for the audit log. Amounts are in shillings. */
export function keyAuditData({ label, expiresAt, scopes, networks, billMax, dayMax }: KeyChange) {
  return {
    label,
    expiresAt: expiresAt?.toISOString() ?? null,
    scopes: [...scopes],
    networks: [...networks],
    billMax: billMax === null ? null : formatApiAmount(billMax),
    dayMax: dayMax === null ? null : formatApiAmount(dayMax),
  };
}
