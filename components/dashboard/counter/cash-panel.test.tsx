import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Texts } from '@/components/ui/texts';
import type { CounterView } from '@/lib/backoffice/counter/show-counter';
import { pickMessages } from '@/lib/platform/i18n/translator';
import { CashPanel, changeOf } from './cash-panel';
import { counterBill } from './present-counter';

type Row = CounterView['entries'][number];
const ROW: Row = {
  ...{ entryId: 'e', number: 1, billId: 'b', reference: 'K7QM-1', mobile: null, network: null },
  ...{ amount: 500_050n, paidAmount: 0n, reservedAmount: 0n, cashAmount: 0n, status: 'NOT_PAID' },
  ...{ createdAt: new Date(0), paidAt: null, closedAt: null, attemptState: null, failureReason: null },
};
const bill = (changes: Partial<Row> = {}) => counterBill({ ...ROW, ...changes }, new URL('https://pay.example'), 'en');

function panel(changes: Partial<Row>, releaseAt: string | null): string {
  const common = { address: '/cash', onChanged: () => undefined, onBack: () => undefined };
  return renderToStaticMarkup(
    <Texts locale="en" messages={pickMessages('en', ['Counter'])}>
      <CashPanel {...common} bill={bill(changes)} releaseAt={releaseAt} />
    </Texts>,
  );
}

test('the change is what is more than the amount', () => {
  expect(changeOf('10,000', '750000')).toBe(250_000n);
  expect(changeOf('7500', '750000')).toBe(0n);
  expect(changeOf('5000', '750000')).toBe(-250_000n);
  expect(changeOf('', '750000')).toBeNull();
});

test('cash is due in whole shillings, whatever payment request is open, and only what is left', () => {
  expect(bill().due).toBe('500100');
  expect(bill({ reservedAmount: 500_100n }).due).toBe('500100');
  expect(bill({ status: 'PARTIALLY_PAID', paidAmount: 200_000n }).due).toBe('300100');
});

test('a bill says what was paid in cash, and whether that was all', () => {
  const paid = { status: 'FULLY_PAID', paidAmount: 500_100n } as const;
  expect(bill(paid)).toMatchObject({ cash: null, allCash: false });
  expect(bill({ ...paid, cashAmount: 100_000n })).toMatchObject({ cash: 'TZS\u00a01,000', allCash: false });
  expect(bill({ ...paid, cashAmount: 500_100n })).toMatchObject({ cash: 'TZS\u00a05,001', allCash: true });
});

test('no cash is taken while a payment request is open; only an unknown request can be released, by those who may', () => {
  const open = { reservedAmount: 500_100n, attemptState: 'UNKNOWN' } as const;
  expect(panel({}, '/bills')).toContain('<form');
  expect(panel(open, '/bills')).not.toContain('<form');
  expect(panel(open, '/bills')).toContain('href="/bills/b#release"');
  expect(panel(open, null)).not.toContain('href');
  expect(panel({ ...open, attemptState: 'AWAITING_CUSTOMER' }, '/bills')).not.toContain('href');
  expect(panel({ ...open, reservedAmount: 0n }, '/bills')).toContain('<form');
});
