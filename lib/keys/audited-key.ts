import { formatApiAmount } from '@/lib/core/money';
import type { KeyChange } from './store';

/** @returns what can be changed of a key, for the audit log: amounts in shillings. Pure. */
export function auditedKey({ label, expiresAt, networks, billMax, dayMax }: KeyChange) {
  return {
    label,
    expiresAt: expiresAt?.toISOString() ?? null,
    networks: [...networks],
    billMax: billMax === null ? null : formatApiAmount(billMax),
    dayMax: dayMax === null ? null : formatApiAmount(dayMax),
  };
}
