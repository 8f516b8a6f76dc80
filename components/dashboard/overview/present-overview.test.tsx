import { describe, expect, test } from 'vitest';
import { ALL_BILLS, parseBillQuery, queryValues } from '@/lib/backoffice/bill-list/bill-query';
import type { AttentionItem, AttentionKind } from '@/lib/backoffice/overview/attention-rules';
import { changeInPercent, type DayFigures, hourFigures, totalsOf, unpaidFigures } from '@/lib/backoffice/overview/figures';
import { type AskedRange, addDays, readRange, unfinishedDay } from '@/lib/backoffice/overview/periods';
import type { Overview } from '@/lib/backoffice/overview/show-overview';
import type { Role } from '@/lib/identity/accounts/permissions';
import { translator } from '@/lib/platform/i18n/translator';
import { durationText, presentCollected, presentDays, presentNetworks, presentSuccess, presentUnpaid } from './present-figures';
import { presentAttention, presentOverview } from './present-overview';

const [en, sw] = [translator('en', 'Overview'), translator('sw', 'Overview')];
const PLACE = { slug: 'duka', environment: 'live' } as const;
const plain = (text: string | undefined) => text?.replaceAll('\u00a0', ' ');

const OVERVIEW: Overview = {
  at: new Date('2026-11-21T14:05:00+03:00'),
  attention: [],
  steps: { key: false, bill: false, webhook: false, support: false, team: false, hidden: false },
  activation: null,
  range: readRange({ range: 'today' }, '2026-11-21'),
  totals: totalsOf(new Map(), []),
  before: { net: 0n, change: null, until: new Date('2026-11-20T14:05:00+03:00'), requests: { ended: 0, succeeded: 0 } },
  unpaid: unpaidFigures([], { bills: 0, amount: 0n }, '2026-11-21'),
  requests: { ended: 0, succeeded: 0 },
  days: [],
  networks: [],
  received: [],
  reasons: [],
  hours: hourFigures([]),
};

describe('the comparison with earlier days as a text', () => {
  /** Returns the icon and the text that compare the net amount of the range with that of the days before it (`before`). */
  function compared(asked: AskedRange, net: bigint, before: bigint, locale: 'en' | 'sw' = 'en') {
    const range = readRange(asked, '2026-11-21');
    const until = unfinishedDay(range, OVERVIEW.at)?.to ?? null;
    const figures = {
      ...OVERVIEW,
      range,
      totals: { ...OVERVIEW.totals, net },
      before: { ...OVERVIEW.before, net: before, change: changeInPercent(before, net), until },
    };
    const { icon, text } = presentCollected(figures, PLACE, locale).compared;
    return [icon, plain(text)];
  }
  const today = { range: 'today' };
  const YESTERDAY = en('comparedUntil', { days: en('yesterday'), time: '14:05' });

  test.each([
    [compared(today, 11_200n, 10_000n), 'rise', en('change_more', { percent: 12, when: YESTERDAY, before: 'TZS 100' })],
    [compared(today, 5_000n, 10_000n), 'fall', en('change_less', { percent: 50, when: YESTERDAY, before: 'TZS 100' })],
    [compared(today, 10_000n, 10_000n), null, en('change_same', { when: YESTERDAY, before: 'TZS 100' })],
    [compared(today, 120_000n, 10_000n), 'rise', en('change_times', { times: 12, when: YESTERDAY, before: 'TZS 100' })],
    [compared(today, 10_000n, 0n), null, en('change_none', { when: YESTERDAY })],
    [
      compared({ range: 'week' }, 5_000n, 10_000n),
      'fall',
      en('change_less', { percent: 50, when: en('comparedUntil', { days: '8–14 Nov', time: '14:05' }), before: 'TZS 100' }),
    ],
    [compared({ range: 'yesterday' }, 5_000n, 10_000n), 'fall', en('change_less', { percent: 50, when: '19 Nov', before: 'TZS 100' })],
    [
      compared({ ...today, compare: 'month' }, 5_000n, 10_000n),
      'fall',
      en('change_less', { percent: 50, when: en('comparedUntil', { days: '21 Oct', time: '14:05' }), before: 'TZS 100' }),
    ],
    [
      compared(today, 5_000n, 10_000n, 'sw'),
      'fall',
      sw('change_less', { percent: 50, when: sw('comparedUntil', { days: sw('yesterday'), time: '14:05' }), before: 'TZS 100' }),
    ],
  ])('%j', (said, icon, text) => {
    expect(said).toEqual([icon, text]);
  });
});

test('before activation, the missing steps and the request are shown, and the request only once and to those who may ask', () => {
  const activation = { tried: true, support: false, secondFactor: false, requestedAt: null };
  const view = (changes: Partial<typeof activation> | { requestedAt: Date }, role: Role = 'owner') =>
    presentOverview({ ...OVERVIEW, activation: { ...activation, ...changes } }, { place: PLACE, role }, 'en').activation;
  expect(view({})?.steps.map(({ done, link }) => [done, link?.href])).toEqual([
    [true, undefined],
    [false, '/m/duka/live/settings'],
    [false, '/account/second-factor'],
  ]);
  expect(view({})?.progress).toBe(en('progress', { done: 1, count: 3 }));
  expect(view({})?.request).toBe(en('activationRequest'));
  expect(view({}, 'viewer')?.request).toBeNull();
  expect(view({ requestedAt: OVERVIEW.at })).toMatchObject({
    request: null,
    requested: en('activationRequested', { time: '21\u00a0Nov\u00a02026, 14:05' }),
  });
});

describe('figures link to the list of what they count', () => {
  const range = readRange({ range: 'yesterday' }, '2026-11-21');
  const shop = { ...OVERVIEW, range };
  const filterOf = (href: string) => parseBillQuery(queryValues(new URL(href, 'http://localhost').searchParams));

  test('collected money to bills with a payment on these days, and networks to those through the network', () => {
    const { filter } = filterOf(presentCollected(shop, PLACE, 'en').href).query;
    expect(filter).toEqual({ ...ALL_BILLS, by: 'received', period: { from: '2026-11-20', to: '2026-11-20' } });
    const received = [{ network: 'yas', amount: 5_000n, payments: 1 }];
    const networks = [{ network: 'yas', ended: 4, succeeded: 3, unavailable: 0 }];
    const [line] = presentNetworks({ ...shop, received, networks }, PLACE, 'en').lines;
    expect(filterOf(line?.href ?? '').query.filter).toEqual({ ...filter, network: 'yas' });
    expect(filterOf(line?.rate?.href ?? '').query.filter).toEqual({ ...filter, by: 'ended', network: 'yas' });
    expect([line?.label, plain(line?.value), line?.payments, line?.rate?.text]).toEqual([
      'Mixx by Yas',
      'TZS 50',
      en('paymentCount', { count: 1, shown: '1' }),
      en('networkSuccess', { rate: 75 }),
    ]);
  });

  test('reasons to bills whose request failed for the reason', () => {
    const reasons = [
      { reason: 'no_answer', count: 3 },
      { reason: 'wrong_pin', count: 1 },
    ] as const;
    const view = presentSuccess({ ...shop, reasons, requests: { ended: 10, succeeded: 6 } }, PLACE, 'en');
    expect(view).toMatchObject({
      rate: '60%',
      text: en('successText', { succeeded: 6, ended: 10 }),
      failed: { text: en('failedText', { count: 4, shown: '4' }) },
    });
    expect(view.reasons.map(({ href }) => filterOf(href).query.filter)).toEqual(
      reasons.map(({ reason }) => ({ ...ALL_BILLS, by: 'ended', reason, period: { from: '2026-11-20', to: '2026-11-20' } })),
    );
    expect(view.reasons.map(({ share }) => share)).toEqual([100, 33]);
  });

  test('ages to open bills of these days of creation', () => {
    const days = [
      { day: '2026-11-21', bills: 1, amount: 1_000n },
      { day: '2026-10-01', bills: 2, amount: 2_000n },
    ];
    const { ages, amount, bills, overdue } = presentUnpaid(
      { ...shop, unpaid: unpaidFigures(days, { bills: 1, amount: 500n }, '2026-11-21') },
      PLACE,
      'en',
    );
    expect([plain(amount), bills, ages.map(({ share }) => share)]).toEqual([
      'TZS 30',
      en('unpaidBills', { count: 3, shown: '3' }),
      [50, 0, 0, 100],
    ]);
    expect([plain(overdue?.value), overdue?.note]).toEqual(['TZS 5', en('unpaidBills', { count: 1, shown: '1' })]);
    expect(filterOf(overdue?.href ?? '').query.filter).toEqual({
      ...ALL_BILLS,
      statuses: ['NOT_PAID', 'PARTIALLY_PAID'],
      closed: false,
      by: 'due',
      period: { from: null, to: '2026-11-20' },
    });
    expect(ages.map(({ href }) => filterOf(href).query.filter)).toEqual(
      [
        { from: '2026-11-21', to: '2026-11-21' },
        { from: '2026-11-14', to: '2026-11-20' },
        { from: '2026-10-22', to: '2026-11-13' },
        { from: null, to: '2026-10-21' },
      ].map((period) => ({ ...ALL_BILLS, statuses: ['NOT_PAID', 'PARTIALLY_PAID'], closed: false, period })),
    );
  });
});

test('days are drawn up to a round amount, with a label every week, and many days by weeks', () => {
  const day = (n: number, net: bigint): DayFigures => ({
    day: addDays('2026-11-21', -n),
    chosen: true,
    collected: net,
    reversed: 0n,
    net,
    payments: 1,
    netBefore: 0n,
  });
  const days = (count: number) => Array.from({ length: count }, (_, index) => day(count - 1 - index, index === 3 ? 530_000n : 10_000n));
  const view = presentDays({ ...OVERVIEW, days: days(30) }, PLACE, 'en');
  expect(view.axis.map(({ text }) => text)).toEqual(['6K', '4K', '2K']);
  expect(plain(view.text)).toBe(en('bestDay', { day: `${en('weekday_mon')} 26 Oct`, amount: 'TZS 5,300' }));
  expect(view.bars.flatMap(({ tick }) => tick ?? [])).toEqual(['24 Oct', '31 Oct', '7 Nov', '14 Nov', '21 Nov']);
  expect(view.bars[3]?.height).toBeCloseTo(88.3, 1);
  expect(presentDays({ ...OVERVIEW, days: days(366) }, PLACE, 'en').bars).toHaveLength(53);
});

describe('items that need attention have links', () => {
  const item = (kind: AttentionKind, more: Partial<AttentionItem> = {}): AttentionItem => ({
    kind,
    severity: 'bad',
    page: 'bills',
    count: 1,
    since: new Date('2026-11-21T14:05:00+03:00'),
    bills: [],
    names: [],
    working: [],
    amount: null,
    ...more,
  });
  const shown = (one: AttentionItem) => presentAttention({ items: [one], webhook: true }, PLACE, 'en').items[0];

  test('to the bill if it is one, otherwise to the first bill and to all', () => {
    const bills = [{ id: 'b1', reference: 'ORDER-1' }];
    expect(shown(item('payments_unknown', { bills }))).toMatchObject({
      title: en('payments_unknown_title', { count: 1, shown: '1' }),
      links: [{ href: '/m/duka/live/bills/b1', text: en('bill', { reference: 'ORDER-1' }) }],
    });
    expect(shown(item('payments_unknown', { bills, count: 7 }))?.links).toEqual([
      { href: '/m/duka/live/bills/b1', text: en('bill', { reference: 'ORDER-1' }) },
      { href: '/m/duka/live/bills?unknown=1', text: en('open_bills') },
    ]);
    expect(shown(item('network_failing', { count: 3 }))?.links).toEqual([
      { href: '/m/duka/live/bills?period=today&by=ended&reason=provider_unavailable', text: en('open_bills') },
    ]);
    expect(shown(item('deliveries_exhausted', { count: 3, page: 'webhooks' }))?.links[0]?.href).toBe('/m/duka/live/webhooks/resend');
  });

  test('to the page where it can be fixed, with the number of waiting bills up to the limit', () => {
    const waiting = en('waiting', { count: 1_001, shown: en('more', { count: '1,000' }) });
    const { title, text, links } = shown(item('endpoint_failing', { page: 'webhooks', count: 1_001 })) ?? {};
    expect([title, text]).toEqual([
      en('endpoint_failing_title'),
      `${en('endpoint_failing_text', { waiting })} ${en('since', { time: '21\u00a0Nov\u00a02026, 14:05' })}`,
    ]);
    expect(links).toEqual([{ href: '/m/duka/live/webhooks', text: en('open_webhooks') }]);
  });

  test('to the sandbox while live is pending', () => {
    expect(shown(item('merchant_pending', { page: null, since: null }))?.links).toEqual([
      { href: '/m/duka/sandbox/overview', text: en('open_merchant') },
    ]);
    expect(
      presentAttention({ items: [item('merchant_pending', { page: null })], webhook: true }, { ...PLACE, environment: 'sandbox' }, 'en')
        .items[0]?.links,
    ).toEqual([]);
  });

  test('to the list of overpaid bills', () => {
    const bills = [{ id: 'b1', reference: 'ORDER-1' }];
    const { title, links } = shown(item('bills_overpaid', { severity: 'wait', bills, amount: 700_000n })) ?? {};
    expect(plain(title)).toBe(en('bills_overpaid_title', { count: 1, shown: '1', amount: 'TZS 7,000' }));
    expect(links?.[0]).toEqual({ href: '/m/duka/live/bills?overpaid=1', text: en('open_overpaid') });
    expect(plain(shown(item('bills_overpaid', { count: 2, amount: 700_000n }))?.title)).toBe(
      en('bills_overpaid_title', { count: 2, shown: '2', amount: 'TZS 7,000' }),
    );
    // The amount is the sum of only the first 1,001 bills.
    expect(plain(shown(item('bills_overpaid', { count: 1_001, amount: 700_000n }))?.title)).toBe(
      en('bills_overpaid_title', { count: 1_001, shown: en('more', { count: '1,000' }), amount: en('more', { count: 'TZS 7,000' }) }),
    );
  });

  test('and refunds to their page first', () => {
    const waiting = shown(item('refunds_waiting', { severity: 'wait', page: 'refunds', bills: [{ id: 'b1', reference: 'A-1' }] }));
    expect(waiting?.links.map(({ href }) => href)).toEqual(['/m/duka/live/refunds', '/m/duka/live/bills/b1']);
  });

  test('and name networks by their wallets, and amounts with the currency', () => {
    expect(shown(item('network_unserved', { names: ['vodacom', 'yas'], count: 2 }))?.title).toBe(
      en('network_unserved_title', { names: 'M-Pesa, Mixx by Yas' }),
    );
    expect(plain(shown(item('money_unmatched', { amount: 500_000n }))?.title)).toBe(en('money_unmatched_title', { amount: 'TZS 5,000' }));
  });

  test('and say which networks have problems and which work, in both languages', () => {
    const down = item('network_down', { page: null, names: ['airtel'], working: ['vodacom'], since: null });
    const { title, text, links } = shown(down) ?? {};
    expect([title, links]).toEqual([en('network_down_title', { names: 'Airtel Money', count: 1 }), []]);
    expect(text).toBe(en('network_down_text', { working: 1, others: 'M-Pesa' }));
    const swahili = presentAttention({ items: [down], webhook: true }, PLACE, 'sw').items[0];
    expect(swahili?.title).toBe(sw('network_down_title', { names: 'Airtel Money', count: 1 }));
    expect(swahili?.text).toBe(sw('network_down_text', { working: 1, others: 'M-Pesa' }));
    const all = shown(item('network_down', { page: null, names: ['airtel', 'vodacom'], count: 2, since: null }));
    expect(all?.title).toBe(en('network_down_title', { names: 'Airtel Money, M-Pesa', count: 2 }));
    expect(all?.text).toBe(en('network_down_text', { working: 0, others: '' }));
  });
});

test.each([
  [true, en('calmText')],
  [false, en('calmTextNoWebhook')],
])('without items, the text does not mention webhooks if no address is set (%s)', (webhook, text) => {
  expect(presentAttention({ items: [], webhook }, PLACE, 'en').calm.text).toBe(text);
});

test.each([
  [40_000, '40 s'],
  [720_000, '12 min'],
  [12_000_000, '3 h 20 min'],
  [187_200_000, '2 d 4 h'],
])('%i ms is %s', (ms, text) => {
  expect(durationText(ms, 'en')).toBe(text);
});

describe('the first steps', () => {
  const blank = OVERVIEW;
  const steps = (changes: Partial<Overview['steps']>, role: Role = 'owner') =>
    presentOverview({ ...blank, steps: { ...blank.steps, ...changes } }, { place: PLACE, role }, 'en').guide;

  test('are those of a shop, and apart from them those of a server, with links to pages that the role may change', () => {
    const guide = steps({});
    expect(guide?.shop.map(({ link }) => link?.href)).toEqual(['/m/duka/live/bills/new', '/m/duka/live/settings', '/m/duka/live/team']);
    expect(guide?.server.steps.map(({ link }) => link?.href)).toEqual(['/m/duka/live/keys', '/m/duka/live/webhooks']);
    expect(steps({}, 'viewer')).toBeNull();
  });

  test('end when a shop has a bill and a team, whether it has a server or not, and when the member dismisses them', () => {
    expect(steps({ bill: true })?.progress).toBe(en('progress', { done: 1, count: 3 }));
    expect(steps({ bill: true, support: true, team: true })).toBeNull();
    expect(steps({ bill: true, support: true, team: true, key: true })?.server.open).toBe(true);
    expect(steps({ bill: true, support: true, team: true, key: true, webhook: true })).toBeNull();
    expect(steps({ hidden: true })).toBeNull();
  });

  test('and have no links while no bills can be created, which the page banner explains', () => {
    const pending = {
      kind: 'merchant_pending',
      severity: 'wait',
      page: null,
      count: 1,
      since: null,
      bills: [],
      names: [],
      working: [],
      amount: null,
    } as const;
    const reader = { place: PLACE, role: 'owner' } as const;
    expect(presentOverview({ ...blank, attention: [pending] }, reader, 'en')).toMatchObject({ attention: null, guide: null });
    const paused = { ...pending, kind: 'endpoint_paused' } as const;
    const { attention } = presentOverview({ ...blank, attention: [pending, paused] }, reader, 'en');
    expect(attention?.items.map(({ kind }) => kind)).toEqual(['endpoint_paused']);
  });
});
