import { expect, test } from 'vitest';
import type { Alert } from '@/lib/backoffice/alerts/alert';
import { pushText } from './alert-row';

const paid: Alert = {
  kind: 'payment',
  at: new Date(0),
  id: '01a1fb0f-e60c-7000-8000-5a1e6b6c2d01',
  bill: { id: '01a1fb0f-e60c-7000-8000-5a1e6b6c2d02', reference: 'RENT' },
  amount: 500_000n,
  overpaid: 0n,
  name: null,
  count: null,
  review: null,
};

test.each([
  ['live', 'en', 'Paid TZS\u00a05,000'],
  ['sandbox', 'en', 'Sandbox: Paid TZS\u00a05,000'],
  ['sandbox', 'sw', 'Majaribio: Imelipwa TZS\u00a05,000'],
] as const)('a push of %s in %s does not look like a payment of the other environment', (environment, locale, title) => {
  expect(pushText(paid, locale, { name: 'Duka', environment })).toEqual({ title, body: 'RENT · Duka' });
});
