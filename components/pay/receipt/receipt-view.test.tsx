import { expect, test } from 'vitest';
import { dueAtOfDay } from '@/lib/bills/bill-info';
import type { PayPage } from '@/lib/payments/page/show-pay-page';
import type { Receipt } from '@/lib/receipts/show-receipt';
import { viewReceipt } from './receipt-view';

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
  viewReceipt({ ...bill, ...changed }, receipt, 'en').facts.map(({ term, value }) => `${term}: ${value}`);

test('a receipt shows the description and the name, and the due date while something is left to pay', () => {
  expect(facts()).toEqual(
    expect.arrayContaining([
      'Payment for: Ada ya muhula wa 1',
      'Customer: Asha Juma',
      'Due date: 30\u00a0Nov\u00a02026',
      expect.stringMatching(/^Left to pay|^Remaining/),
    ]),
  );
  const paid = facts({ status: 'FULLY_PAID', paidAmount: 500_000n, paidAt: NOW });
  expect(paid).toEqual(expect.arrayContaining(['Payment for: Ada ya muhula wa 1', 'Customer: Asha Juma']));
  expect(paid.join()).not.toContain('Due date:');
});

test('a receipt of a bill without them has no empty lines', () => {
  expect(facts({ customerName: null, description: null, dueAt: null }).join()).not.toMatch(/Payment for:|Customer:|Due date:/);
});
