import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { VerifiedReceipt } from '@/lib/gateway/receipts/verify-receipt';
import { translator } from '@/lib/platform/i18n/translator';
import { bill } from './sample-page';
import { VerifyDocument } from './verify-page';

const t = translator('en', 'Verify');
const NOW = new Date('2026-11-21T11:30:00Z');
const STATUSES: readonly VerifiedReceipt['status'][] = ['paid', 'part', 'back', 'backAndPart', 'uncounted'];

const { merchantId, brandColour, supportNumber, logoHash, logoWidth, logoHeight } = bill;
const SHOP = { merchantId, merchantName: 'Duka', brandColour, supportNumber, logoHash, logoWidth, logoHeight };

function pageOf(
  environment: VerifiedReceipt['environment'],
  status: VerifiedReceipt['status'],
  merchant: VerifiedReceipt['merchant'] = SHOP,
) {
  const receipt: VerifiedReceipt = {
    code: 'K7PM-2QXD-9FTA',
    environment,
    merchant,
    reference: 'ORDER-7',
    amount: 500_000n,
    paidAmount: 500_000n,
    remaining: 0n,
    status,
    payments: [],
    returns: [],
  };
  return renderToStaticMarkup(<VerifyDocument checked={{ kind: 'genuine', receipt }} typed={receipt.code} now={NOW} locale="en" />);
}

function result(environment: VerifiedReceipt['environment'], status: VerifiedReceipt['status']): string {
  return /<section class="card result.*?<\/section>/.exec(pageOf(environment, status))?.[0] ?? '';
}

test('a receipt that real money paid has a green sign and a large amount', () => {
  const html = result('live', 'paid');
  expect(html).toContain('card result good');
  expect(html).toContain(`<h1>${t('paidTitle')}</h1>`);
  expect(html).toContain('<p class="sum"><b>TZS\u00a05,000</b></p>');
});

test.each(STATUSES)('a test receipt does not look like a payment in the state %s', (status) => {
  const html = result('sandbox', status);
  expect(html).toContain('card result wait');
  expect(html).toContain(`<h1>${t('sandbox')}</h1>`);
  expect(html).toContain(t('sandboxText', { result: t(`${status}Title`) }));
  expect(html).not.toContain('class="sum"');
});

test('a genuine receipt shows the mark of the shop, or its logo', () => {
  expect(pageOf('live', 'paid')).toMatch(/<p class="shop"><svg.*<circle[^>]*fill="#0b5d3b".*>D<\/text>.*<bdi>Duka<\/bdi>/);
  const html = pageOf('live', 'paid', { ...SHOP, logoHash: 'abc', logoWidth: 40, logoHeight: 40 });
  expect(html).toContain('<p class="shop"><img src="/pay/logo/merchant/abc" alt="" width="40" height="40"/>');
});
