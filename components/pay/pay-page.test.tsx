import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { LOCALES } from '@/lib/i18n/translator';
import { FAILURE_REASONS } from '@/lib/payments/outcome';
import type { LastTry, OpenPrompt } from '@/lib/payments/pay-state';
import type { PayPage } from '@/lib/payments/show-pay-page';
import { PayDocument } from './pay-page';

const NOW = new Date('2026-11-21T11:30:00Z');
const REASONS: readonly LastTry[] = [...FAILURE_REASONS, 'expired', 'released', 'reversed', 'not_completed'];

const bill: PayPage['bill'] = {
  id: 'bill',
  merchantId: 'merchant',
  merchantLanguage: null,
  merchantName: '"><script>alert(1)</script>',
  environment: 'live',
  amount: 500_000n,
  reference: "<img src=x onerror='x'>",
  mobile: null,
  paidAmount: 0n,
  reservedAmount: 0n,
  status: 'NOT_PAID',
  createdAt: NOW,
  paidAt: null,
  closedAt: null,
  merchantActive: true,
  partialPayments: false,
  brandColour: null,
  supportNumber: null,
  logoHash: null,
  logoWidth: null,
  logoHeight: null,
};

const attempt: OpenPrompt['attempt'] = {
  id: 'attempt',
  merchantId: 'merchant',
  environment: 'live',
  billId: 'bill',
  providerAccountId: 'account',
  mobile: '0712345678',
  network: 'yas',
  amount: 500_000n,
  ourReference: 'ABCDEFGHJKLMNPQRSTUV',
  providerReference: null,
  state: 'FAILED',
  failureReason: null,
  sendCount: 1,
  queryCount: 0,
  leaseToken: 1,
  createdAt: NOW,
  sentAt: NOW,
  unknownSince: null,
  releasedAt: null,
};

const prompt: OpenPrompt = {
  kind: 'prompted',
  attempt,
  own: false,
  times: { helpAt: NOW, until: new Date('2026-11-21T11:32:00Z') },
  helpDue: true,
  byHand: null,
};

function render(state: PayPage['state'], locale: 'sw' | 'en' = 'en', form: PayPage['form'] = null): string {
  const page: PayPage = { bill, state, others: [], prompted: true, form, offer: null, version: 'v' };
  const values = { mobile: '', amount: null, chosen: null, remember: false };
  return renderToStaticMarkup(
    <PayDocument page={page} receipt={undefined} locale={locale} values={values} wrong={null} refresh now={NOW} />,
  );
}

test('a form sends the amount that its button says, so that nobody is asked for another', () => {
  const form = { id: 'f'.repeat(22), payable: 500_000n, amounts: null, prefixes: '', again: null };
  const html = render({ kind: 'ready', failure: null }, 'en', form);
  expect(html).toContain('Pay TZS\u00a05,000</button>');
  expect(html).toContain('<input type="hidden" name="amount" value="5000"/>');
});

test.each(REASONS)('a try that ended with %s has a heading and a reason in both languages', (reason) => {
  const headings = LOCALES.map((locale) => {
    const html = render({ kind: 'ready', failure: { reason, attempt, own: false } }, locale);
    expect(html).not.toContain('ReasonTitle.');
    expect(html).not.toMatch(/<script>alert|<img/);
    expect(html).toContain('0***\u00a0***\u00a0678');
    return /<h1.*?<span>(.*?)<\/span>/.exec(html)?.[1];
  });
  expect(new Set(headings).size).toBe(2);
});

describe('a prompt that does not come', () => {
  test("names the wallet's own menu only where the provider takes money that way", () => {
    expect(render(prompt)).not.toContain('Dial');
    const html = render({ ...prompt, own: true, byHand: { dial: '*150*01#', business: '123456' } });
    for (const text of [
      'Refuse the request on the phone first',
      'Dial *150*01#',
      'Business number: 123456',
      'Reference: ABCDEFGHJKLMNPQRSTUV',
      'Amount: TZS\u00a05,000',
    ])
      expect(html).toContain(text);
  });

  test('names its number and network to who asked alone', () => {
    expect(render({ ...prompt, own: true })).toMatch(/0712\u00a0345\u00a0678, Mixx by Yas, is the right number and network/);
    expect(render(prompt)).toContain('0***\u00a0***\u00a0678 is the right number.');
    expect(render(prompt)).not.toMatch(/Mixx|class="mark|712/);
  });

  test('is told in East Africa Time, and counted down from what is left', () => {
    expect(render(prompt)).toContain('You can answer until 14:32');
    expect(render(prompt)).toContain('data-ms="120000"');
  });
});
