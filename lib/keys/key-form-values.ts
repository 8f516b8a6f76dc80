import { formatApiAmount, type Senti } from '@/lib/core/money';
import type { KeyFormValues } from './key-form';
import type { KeyChange } from './store';

export function keyFormValues({ label, networks, billMax, dayMax }: Omit<KeyChange, 'expiresAt'>): KeyFormValues {
  return { label, expiry: 'keep', expiryDay: '', networks: networks.join('\n'), billMax: written(billMax), dayMax: written(dayMax) };
}

function written(limit: Senti | null): string {
  return limit === null ? '' : formatApiAmount(limit).replace(/\.0$/, '');
}
