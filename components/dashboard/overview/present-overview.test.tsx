import { describe, expect, test } from 'vitest';
import type { AttentionItem, AttentionKind } from '@/lib/overview/attention-rules';
import { compareInterval, totalsOf } from '@/lib/overview/figures';
import { comparisonsAt } from '@/lib/overview/periods';
import { presentAttention } from './present-attention';
import { durationText, presentInterval } from './present-intervals';
import { presentOverview } from './present-overview';

const PLACE = { slug: 'duka', environment: 'live' } as const;
const plain = (text: string | undefined) => text?.replaceAll('\u00a0', ' ');

/** Returns the texts of an interval with this net amount, and another in the previous interval. */
function compared(index: 0 | 1 | 2, at: string, net: bigint, before: bigint, locale: 'en' | 'sw' = 'en') {
  const comparison = comparisonsAt(new Date(at))[index];
  if (!comparison) throw new Error('there are three');
  const figures = compareInterval(comparison, new Map(), before);
  const change = before > 0n ? Math.round((Number(net - before) / Number(before)) * 100) : null;
  const { icon, compared: text } = presentInterval({ ...figures, net, change }, locale);
  return [icon, plain(text)];
}

describe('the comparison with the previous interval as a text', () => {
  const SATURDAY = '2026-11-21T14:05:00+03:00';
  test.each([
    [compared(0, SATURDAY, 11_200n, 10_000n), 'rise', '12% more than yesterday until 14:05 (TZS 100)'],
    [compared(0, SATURDAY, 5_000n, 10_000n), 'fall', '50% less than yesterday until 14:05 (TZS 100)'],
    [compared(0, SATURDAY, 10_000n, 10_000n), null, 'About as much as yesterday until 14:05 (TZS 100)'],
    [compared(0, SATURDAY, 120_000n, 10_000n), 'rise', '12 times as much as yesterday until 14:05 (TZS 100)'],
    [compared(0, SATURDAY, 10_000n, 0n), null, 'No payments to compare with (yesterday until 14:05)'],
    [compared(1, SATURDAY, 5_000n, 10_000n), 'fall', '50% less than last week until Saturday, 14:05 (TZS 100)'],
    [compared(2, SATURDAY, 5_000n, 10_000n), 'fall', '50% less than October until day 21, 14:05 (TZS 100)'],
    [compared(2, '2026-03-30T09:00:00+03:00', 5_000n, 10_000n), 'fall', '50% less than all of February (TZS 100)'],
    [compared(1, SATURDAY, 5_000n, 10_000n, 'sw'), 'fall', '50% pungufu ya wiki iliyopita hadi Jumamosi, 14:05 (TZS 100)'],
  ])('%j', (said, icon, text) => {
    expect(said).toEqual([icon, text]);
  });
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
      title: 'The outcome of one payment is unknown',
      links: [{ href: '/m/duka/live/bills/b1', text: 'Bill ORDER-1' }],
    });
    expect(shown(item('payments_unknown', { bills, count: 7 }))?.links).toEqual([
      { href: '/m/duka/live/bills/b1', text: 'Bill ORDER-1' },
      { href: '/m/duka/live/bills', text: 'Go to bills' },
    ]);
  });

  test('to the page where it can be fixed, with the number of waiting bills up to the limit', () => {
    const { title, text, links } = shown(item('endpoint_failing', { page: 'webhooks', count: 1_001 })) ?? {};
    expect([title, text]).toEqual([
      'Your server does not accept webhooks',
      'We keep retrying. Webhooks of more than 1,000 bills are waiting. They are not lost. Since 21 Nov 2026, 14:05.',
    ]);
    expect(links).toEqual([{ href: '/m/duka/live/webhooks', text: 'Go to webhooks' }]);
  });

  test('to the sandbox while live is pending', () => {
    expect(shown(item('merchant_pending', { page: null, since: null }))?.links).toEqual([
      { href: '/m/duka/sandbox/overview', text: 'Go to the sandbox' },
    ]);
    expect(
      presentAttention({ items: [item('merchant_pending', { page: null })], webhook: true }, { ...PLACE, environment: 'sandbox' }, 'en')
        .items[0]?.links,
    ).toEqual([]);
  });

  test('to the list of overpaid bills', () => {
    const bills = [{ id: 'b1', reference: 'ORDER-1' }];
    const { title, links } = shown(item('bills_overpaid', { severity: 'wait', bills, amount: 700_000n })) ?? {};
    expect(plain(title)).toBe('1 customer paid too much: TZS 7,000');
    expect(links?.[0]).toEqual({ href: '/m/duka/live/bills?overpaid=1', text: 'Show overpaid bills' });
    expect(plain(shown(item('bills_overpaid', { count: 2, amount: 700_000n }))?.title)).toBe('2 customers paid too much: TZS 7,000');
  });

  test('and name networks by their wallets, and amounts with the currency', () => {
    expect(shown(item('network_unserved', { names: ['vodacom', 'yas'], count: 2 }))?.title).toBe('Not available now: M-Pesa, Mixx by Yas');
    expect(plain(shown(item('money_unmatched', { amount: 500_000n }))?.title)).toBe('TZS 5,000 does not belong to any bill');
  });

  test('and say which networks have problems and which work, in both languages', () => {
    const down = item('network_down', { page: null, names: ['airtel'], working: ['vodacom'], since: null });
    const { title, text, links } = shown(down) ?? {};
    expect([title, links]).toEqual(['Airtel Money has problems at the moment', []]);
    expect(text).toMatch(/^Customers can pay with M-Pesa\. The payment page tells customers/);
    const swahili = presentAttention({ items: [down], webhook: true }, PLACE, 'sw').items[0];
    expect(swahili?.title).toBe('Kuna tatizo kwenye Airtel Money kwa sasa');
    expect(swahili?.text).toMatch(/^Wateja wanaweza kulipa kwa M-Pesa\./);
    const all = shown(item('network_down', { page: null, names: ['airtel', 'vodacom'], count: 2, since: null }));
    expect(all?.title).toBe('Airtel Money, M-Pesa have problems at the moment');
    expect(all?.text).toMatch(/^No other network works at the moment\./);
  });
});

test.each([
  [true, 'No problems with payments, webhooks or keys.'],
  [false, 'No problems with payments or keys. No webhook address is set.'],
])('without items, webhooks are mentioned as in order only if an address is set (%s)', (webhook, text) => {
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

describe('the first steps link to pages that the role may open', () => {
  const blank = {
    at: new Date('2026-11-21T14:05:00+03:00'),
    period: 7,
    attention: [],
    steps: { key: false, bill: false, webhook: false },
    intervals: [],
    totals: totalsOf(new Map(), []),
    days: [],
    networks: [],
    reasons: [],
  } as const;

  test.each([
    ['owner', ['/m/duka/live/bills/new', '/m/duka/live/keys', '/m/duka/live/webhooks']],
    ['viewer', [undefined, undefined, '/m/duka/live/webhooks']],
  ] as const)('%s', (role, ways) => {
    const { guide } = presentOverview(blank, { place: PLACE, role }, 'en');
    expect(guide?.steps.map(({ link }) => link?.href)).toEqual(ways);
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
