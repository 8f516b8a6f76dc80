import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { VerifiedReceipt } from '@/lib/receipts/verify-receipt';
import { VerifyDocument } from './verify-page';

const NOW = new Date('2026-11-21T11:30:00Z');
const STATUSES: readonly VerifiedReceipt['status'][] = ['paid', 'part', 'back', 'backAndPart', 'uncounted'];

function result(environment: VerifiedReceipt['environment'], status: VerifiedReceipt['status']): string {
  const receipt: VerifiedReceipt = {
    code: 'K7PM-2QXD-9FTA',
    environment,
    merchantName: 'Duka',
    reference: 'ORDER-7',
    amount: 500_000n,
    paidAmount: 500_000n,
    remaining: 0n,
    status,
    payments: [],
  };
  const html = renderToStaticMarkup(<VerifyDocument checked={{ kind: 'genuine', receipt }} typed={receipt.code} now={NOW} locale="en" />);
  return /<section class="card result.*?<\/section>/.exec(html)?.[0] ?? '';
}

test('a receipt that real money paid has a green sign and a large amount', () => {
  const html = result('live', 'paid');
  expect(html).toContain('card result good');
  expect(html).toContain('<h1>Genuine receipt: the bill is fully paid</h1>');
  expect(html).toContain('<p class="sum"><b>TZS\u00a05,000</b></p>');
});

test.each(STATUSES)('a test receipt does not look like a payment in the state %s', (status) => {
  const html = result('sandbox', status);
  expect(html).toContain('card result wait');
  expect(html).toContain('<h1>Test receipt: no real money was paid.</h1>');
  expect(html).toContain('Do not accept this receipt as payment.');
  expect(html).not.toContain('class="sum"');
});
