import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { translator } from '@/lib/platform/i18n/translator';
import { DownNetworks, nextStep } from './hero';

test.each([
  ['en', ['airtel'], 'Airtel Money', 'M-Pesa, Mixx by Yas'],
  ['en', ['airtel', 'yas'], 'Mixx by Yas, Airtel Money', 'M-Pesa'],
  ['en', ['vodacom', 'yas', 'airtel'], 'M-Pesa, Mixx by Yas, Airtel Money', null],
  ['sw', ['airtel'], 'Airtel Money', 'M-Pesa, Mixx by Yas'],
] as const)(
  'the form for a payment request names the networks with problems and those that work (%s, %j)',
  (locale, down, wallets, working) => {
    const t = translator(locale, 'AskPhone');
    const networks = ['vodacom', 'yas', 'airtel'] as const;
    const shown = networks.filter((network) => down.some((one) => one === network));
    const html = renderToStaticMarkup(<DownNetworks networks={networks} down={shown} locale={locale} />);
    const others = working === null ? '' : t('networkDownOthers', { wallets: working });
    expect(html.replace(/<[^>]+>/g, '')).toBe(`${t('networkDown', { wallets, count: down.length })} ${others}`);
  },
);

describe('the next step of a bill', () => {
  const may = { request: true, refund: true, reopen: true };
  const bill = { status: 'NOT_PAID', closedAt: null, amount: 700n, paidAmount: 0n } as const;
  const offered = { kind: 'offered', payable: 700n, amounts: null, networks: [], down: [], mobile: '0712345001' } as const;
  const unpaid = { bill, open: [], push: offered, refundable: [], may };
  const paid = {
    ...unpaid,
    bill: { ...bill, status: 'FULLY_PAID', paidAmount: 700n },
    push: { kind: 'paid' },
    refundable: ['payment'],
  } as const;
  const overpaid = { ...paid, bill: { ...paid.bill, paidAmount: 1_400n } };
  const closed = { ...unpaid, bill: { ...bill, closedAt: new Date(0) }, push: { kind: 'closed' } } as const;

  test.each([
    ['request', 'an unpaid bill with a number', unpaid],
    ['share', 'an unpaid bill without a number', { ...unpaid, push: { ...offered, mobile: null } }],
    ['share', 'an unpaid bill of which a viewer sees the number', { ...unpaid, may: { ...may, request: false } }],
    [null, 'a bill with an open payment request', { ...unpaid, open: ['attempt'], push: { kind: 'all_asked' } }],
    ['request', 'a bill with an open request for a part', { ...unpaid, open: ['attempt'] }],
    ['receipt', 'a paid bill', paid],
    ['giveBack', 'an overpaid bill', overpaid],
    ['receipt', 'an overpaid bill whose excess is on its way back', { ...overpaid, refundable: [] }],
    ['receipt', 'an overpaid bill of a viewer', { ...overpaid, may: { ...may, refund: false } }],
    ['reopen', 'a closed bill', closed],
    [null, 'a closed bill of a viewer', { ...closed, may: { ...may, reopen: false } }],
  ] as const)('is %s for %s', (step, _name, situation) => {
    expect(nextStep(situation)).toBe(step);
  });
});
