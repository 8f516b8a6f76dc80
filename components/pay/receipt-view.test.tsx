import { expect, test } from 'vitest';
import { dueAtOfDay } from '@/lib/gateway/bills/bill-info';
import type { PayPage } from '@/lib/gateway/payment-page/show-pay-page';
import type { Receipt } from '@/lib/gateway/receipts/show-receipt';
import { translator } from '@/lib/platform/i18n/translator';
import { identifyPayment, viewReceipt } from './receipt-view';

const t = translator('en', 'Pay');
const NOW = new Date('2026-11-21T11:30:00Z');
const bill: PayPage['bill'] = {
  id: 'bill',
  merchantId: 'merchant',
  merchantLanguage: null,
  expiresAt: null,
  returnUrl: null,
  merchantName: 'Duka',
  environment: 'live',
  amount: 500_000n,
  reference: 'ADA-1',
  mobile: null,
  customerName: 'Asha Juma',
  description: 'Ada ya muhula wa 1',
  dueAt: dueAtOfDay('2026-11-30'),
  paidAmount: 200_000n,
  reservedAmount: 0n,
  status: 'PARTIALLY_PAID',
  createdAt: NOW,
  paidAt: null,
  closedAt: null,
  merchantActive: true,
  reversedAmount: 0n,
  partialPayments: true,
  brandColour: null,
  supportNumber: null,
  logoHash: null,
  logoWidth: null,
  logoHeight: null,
};
const receipt: Receipt = { code: 'K7PM-2QXD-9FTA', verifyUrl: 'https://pay.example/verify?code=K7PM2QXD9FTA', payments: [], reversed: 0n };
const facts = (changed: Partial<PayPage['bill']> = {}) =>
  viewReceipt({ ...bill, ...changed }, receipt, [], 'en').facts.map(({ term, value }) => `${term}: ${value}`);

test('a receipt shows the description and the name, and the due date while something is left to pay', () => {
  expect(facts()).toEqual(
    expect.arrayContaining([
      `${t('description')}: Ada ya muhula wa 1`,
      `${t('customer')}: Asha Juma`,
      `${t('dueAt')}: 30\u00a0Nov\u00a02026`,
      `${t('remaining')}: TZS\u00a03,000`,
    ]),
  );
  const paid = facts({ status: 'FULLY_PAID', paidAmount: 500_000n, paidAt: NOW });
  expect(paid).toEqual(expect.arrayContaining([`${t('description')}: Ada ya muhula wa 1`, `${t('customer')}: Asha Juma`]));
  expect(paid.join()).not.toContain(`${t('dueAt')}:`);
});

test('a receipt of a bill without them has no empty lines', () => {
  const terms = facts({ customerName: null, description: null, dueAt: null }).join();
  for (const term of [t('description'), t('customer'), t('dueAt')]) expect(terms).not.toContain(`${term}:`);
});

test('a receipt says what went back and on which day, and nothing else about it', () => {
  const returns = [{ id: '1', amount: 50_000n, returnedAt: NOW }];
  const before = viewReceipt(bill, receipt, [], 'en').facts;
  const back = viewReceipt(bill, receipt, returns, 'en').facts.slice(before.length);
  expect(back).toEqual([{ term: t('returnedOn', { day: '21\u00a0Nov\u00a02026' }), value: 'TZS\u00a0500' }]);
});

test('a payment that a person received says how, and has no number without a slip', () => {
  const words = translator('en', 'Receipt');
  const payment = { id: 'p', mobile: null, received: 100n, kept: 100n, recordedAt: NOW } as const;
  expect(identifyPayment({ ...payment, source: 'cash', transactionId: 'p' }, 'en')).toEqual({ number: words('way_cash'), payer: [] });
  const slip = { ...payment, source: 'bank', transactionId: 'SLIP-1' } as const;
  expect(identifyPayment(slip, 'en')).toEqual({ number: 'SLIP-1', payer: [words('way_bank')] });
  const byPhone = { ...payment, source: 'provider', transactionId: 'R1' } as const;
  expect(identifyPayment(byPhone, 'en')).toEqual({ number: 'R1', payer: [words('unknownPayer')] });
});
