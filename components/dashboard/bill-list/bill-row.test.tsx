import { expect, test } from 'vitest';
import { NO_INFO } from '@/lib/bills/bill-info';
import type { ListedBill, NewestAttempt } from '@/lib/bills/list/newest-attempts';
import { unpaidBill } from '@/lib/bills/rules';
import { addMs, DAY_MS, MINUTE_MS } from '@/lib/core/clock';
import { billRow } from './bill-row';

const now = new Date('2026-11-23T09:00:00Z');
const BILL = unpaidBill(
  { amount: 1_250_000n, reference: 'ORD-1', mobile: null },
  { id: '01a20000-0000-7000-8000-000000000000', merchantId: 'm', environment: 'sandbox', createdAt: addMs(now, -DAY_MS) },
);

function row(bill: Partial<ListedBill> = {}, locale: 'en' | 'sw' = 'en') {
  return billRow({ ...BILL, ...NO_INFO, attempt: null, ...bill }, { locale, now });
}

function attempt(more: Partial<NewestAttempt>): NewestAttempt {
  return { state: 'FAILED', reason: 'wrong_pin', mobile: '0712345003', at: addMs(now, -3 * MINUTE_MS), ...more };
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
  [{}, 'failed', 'Wrong PIN', '3 min ago'],
  [{ state: 'EXPIRED', reason: null }, 'failed', 'No answer', '3 min ago'],
  [{ reason: null }, 'failed', 'Request failed', '3 min ago'],
  [{ state: 'AWAITING_CUSTOMER', reason: null, at: now }, 'waiting', 'Prompt on the phone', 'just now'],
  [{ state: 'UNKNOWN', at: addMs(now, -120 * MINUTE_MS) }, 'unknown', 'Waiting for the network', 'today 10:00'],
] as const)('the newest attempt %j of an unpaid bill is shown as %s', (more, kind, text, ago) => {
  expect(row({ attempt: attempt(more) }).request).toEqual({ kind, text, phone: '0712…003', ago });
});

test('says the reason in Swahili, too', () => {
  expect(row({ attempt: attempt({}) }, 'sw').request).toMatchObject({
    text: 'Namba ya siri si sahihi',
    phone: '0712…003',
    ago: 'dakika 3 zilizopita',
  });
});

test('a paid or closed bill does not show an earlier failure, and cannot be closed or requested', () => {
  for (const settled of [{ status: 'FULLY_PAID' as const, paidAmount: BILL.amount }, { closedAt: now }])
    expect(row({ ...settled, attempt: attempt({}) })).toMatchObject({ request: null, mayClose: false, mayRequest: false });
});

test('a request is possible if a number is known and no attempt is open', () => {
  expect(row()).toMatchObject({ mayClose: true, mayRequest: false });
  expect(row({ attempt: attempt({}) })).toMatchObject({ mayClose: true, mayRequest: true });
  expect(row({ mobile: '0712345003', attempt: attempt({ state: 'AWAITING_CUSTOMER' }) })).toMatchObject({
    mayClose: false,
    mayRequest: false,
  });
});

test('marks overdue bills and bills of receiver checks, and names the customer', () => {
  expect(row({ dueAt: addMs(now, -3 * DAY_MS), customerName: 'Asha', description: 'Kodi' })).toMatchObject({
    overdue: expect.any(String),
    about: 'Asha · Kodi',
    check: false,
  });
  expect(row({ dueAt: addMs(now, -3 * DAY_MS), status: 'FULLY_PAID', paidAmount: BILL.amount })).toMatchObject({
    overdue: null,
    about: null,
  });
  expect(row({ reference: 'CHECK-AB12CD34', amount: 100_000n })).toMatchObject({ check: true });
  expect(row({ reference: 'CHECK-AB12CD34', amount: 100_000n, environment: 'live' })).toMatchObject({ check: false });
});
