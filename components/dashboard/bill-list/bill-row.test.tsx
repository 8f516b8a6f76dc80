import { expect, test } from 'vitest';
import type { BillPage } from '@/lib/backoffice/bill-list/list-bills';
import { NO_INFO } from '@/lib/gateway/bills/bill-info';
import { unpaidBill } from '@/lib/gateway/bills/rules';
import { addMs, DAY_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import { translator } from '@/lib/platform/i18n/translator';
import { billRow } from './bill-row';

type ListedBill = BillPage['bills'][number];

const [en, sw] = [translator('en', 'BillRows'), translator('sw', 'BillRows')];
const now = new Date('2026-11-23T09:00:00Z');
const AGO = '3 min ago';
const BILL = unpaidBill(
  { amount: 1_250_000n, reference: 'ORD-1', mobile: null },
  { id: '01a20000-0000-7000-8000-000000000000', merchantId: 'm', environment: 'sandbox', createdAt: addMs(now, -DAY_MS) },
);

function row(bill: Partial<ListedBill> = {}, locale: 'en' | 'sw' = 'en') {
  return billRow({ ...BILL, ...NO_INFO, attempts: [], ...bill }, { locale, now });
}

function attempts(more: Partial<ListedBill['attempts'][number]>): ListedBill['attempts'] {
  const times = { createdAt: addMs(now, -4 * MINUTE_MS), unknownSince: null, settledAt: addMs(now, -3 * MINUTE_MS) };
  return [{ state: 'FAILED', failureReason: 'wrong_pin', mobile: '0712345003', ...times, ...more }];
}

test('a row has the amount without the currency and a relative time', () => {
  expect(row()).toMatchObject({
    amount: '12,500',
    paid: null,
    created: { text: 'yesterday 12:00', exact: '22\u00a0Nov\u00a02026, 12:00' },
    request: null,
  });
  expect(row({ paidAmount: 500_000n, status: 'PARTIALLY_PAID' })).toMatchObject({ paid: '5,000', left: '750000' });
});

test.each([
  [{}, 'failed', en('reason_wrong_pin'), AGO],
  [{ state: 'EXPIRED', failureReason: null }, 'failed', en('noAnswer'), AGO],
  [{ failureReason: null }, 'failed', en('failed'), AGO],
  [{ state: 'AWAITING_CUSTOMER', failureReason: null, createdAt: now, settledAt: null }, 'waiting', en('onThePhone'), 'now'],
  [{ state: 'UNKNOWN', unknownSince: addMs(now, -120 * MINUTE_MS), settledAt: null }, 'unknown', en('outcomeUnknown'), 'today 10:00'],
] as const)('the newest attempt %j of an unpaid bill is shown as %s', (more, kind, text, ago) => {
  expect(row({ attempts: attempts(more) }).request).toEqual({ kind, text, phone: '0712…003', ago });
});

test('says the reason in Swahili, too', () => {
  expect(row({ attempts: attempts({}) }, 'sw').request).toMatchObject({
    text: sw('reason_wrong_pin'),
    phone: '0712…003',
    ago: 'dakika 3 zilizopita',
  });
});

test('a paid or closed bill does not show an earlier failure, and cannot be closed or requested', () => {
  for (const settled of [{ status: 'FULLY_PAID' as const, paidAmount: BILL.amount }, { closedAt: now }])
    expect(row({ ...settled, attempts: attempts({}) })).toMatchObject({ request: null, mayClose: false, mayRequest: false });
});

test('a request is possible if a number is known and no attempt is open', () => {
  expect(row()).toMatchObject({ mayClose: true, mayRequest: false });
  expect(row({ attempts: attempts({}) })).toMatchObject({ mayClose: true, mayRequest: true });
  expect(row({ mobile: '0712345003', attempts: attempts({ state: 'AWAITING_CUSTOMER' }) })).toMatchObject({
    mayClose: false,
    mayRequest: false,
  });
});

test('marks overdue bills and bills of receiver checks, and names the customer', () => {
  expect(row({ dueAt: addMs(now, -3 * DAY_MS), customerName: 'Asha', description: 'Kodi' })).toMatchObject({
    overdue: expect.any(String),
    customer: 'Asha',
    description: 'Kodi',
    check: false,
  });
  expect(row({ dueAt: addMs(now, -3 * DAY_MS), status: 'FULLY_PAID', paidAmount: BILL.amount })).toMatchObject({
    overdue: null,
    customer: null,
  });
  expect(row({ reference: 'CHECK-AB12CD34', amount: 100_000n })).toMatchObject({ check: true });
  expect(row({ reference: 'CHECK-AB12CD34', amount: 100_000n, environment: 'live' })).toMatchObject({ check: false });
});
