import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import type { PayWays } from '@/lib/gateway/payment-page/pay-ways';
import type { PayPage } from '@/lib/gateway/payment-page/show-pay-page';
import { formatQr } from '@/lib/platform/core/emv';
import { NETWORKS, OPERATED_NETWORKS, WALLET_MENUS, WALLETS } from '@/lib/platform/core/network';
import { LOCALES, type Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { attempt, bill, NOW, prompt } from './sample-page';
import { billText, groupsOf, menuLines, stepsOf } from './way-steps';
import { WaysPage } from './ways-page';

const AMOUNT = 'TZS\u00a05,000';
const number = { text: '63890400', provider: 'selcom', networks: OPERATED_NETWORKS, expiresAt: NOW };
const code = { acquirer: '999', account: '63890400', merchantName: 'Duka', reference: '63890400' };
const qr = { text: formatQr({ ...code, amount: 500_000n }), provider: 'selcom', expiresAt: null };
const link = { text: 'https://pay.example.com/?a=1&b=2', provider: 'selcom', expiresAt: null };
const nothing: PayWays = {
  ...{ numbers: [], qr: null, link: null, amount: 500_000n, waiting: null },
  ...{ askable: false, ended: null, replaced: false, version: 'w' },
};
const all: PayWays = { ...nothing, numbers: [number], qr, link };

interface Given extends Partial<Pick<Parameters<typeof WaysPage>[0], 'network' | 'refusal' | 'refresh'>> {
  readonly ways?: PayWays;
  readonly page?: Partial<PayPage>;
  readonly locale?: Locale;
}

function render({ ways = nothing, page = {}, network = null, refusal = null, refresh = true, locale = 'en' }: Given = {}): string {
  const none = { others: [], prompted: false, returns: [], form: null, offer: null, pace: null };
  const shown: PayPage = { ...none, state: { kind: 'ready', failure: null }, bill, version: 'v', ...page };
  return renderToStaticMarkup(<WaysPage {...{ ways, network, refusal, refresh, locale }} page={shown} now={NOW} />);
}

const inHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll("'", '&#x27;');

describe.each(LOCALES)('in %s', (locale) => {
  const t = translator(locale, 'PayWays');
  const has = (given: Given, text: string) => render({ ...given, locale }).includes(inHtml(text));

  test('the page says in each situation what it is and what to do, and offers the form only if it helps', () => {
    const button = '<button type="submit">';
    for (const [given, text, asks] of [
      [{ ways: { ...nothing, askable: true } }, t('intro'), true],
      [{ ways: nothing }, t('not_offered'), false],
      [{ ways: { ...nothing, waiting: 'soon' } }, t('soonText'), false],
      [{ ways: { ...nothing, waiting: 'late' } }, t('lateText'), false],
      [{ ways: { ...nothing, ended: 'changed', askable: true } }, t('ended_changed'), true],
      [{ ways: { ...nothing, ended: 'expired', askable: true } }, t('ended_expired'), true],
      [{ ways: { ...nothing, ended: 'refused', askable: true } }, t('ended_refused'), true],
      [{ ways: { ...all, replaced: true } }, t('replaced'), false],
      [{ ways: { ...all, waiting: 'soon' } }, t('more'), false],
      [{ ways: nothing, refusal: 'too_many' }, t('too_many'), false],
      [{ ways: { ...nothing, askable: true }, refusal: 'not_offered' }, t('not_offered'), true],
    ] as const) {
      expect(has(given, text), text).toBe(true);
      expect(has(given, button), text).toBe(asks);
    }
  });

  test('it shows the number, the steps of each wallet, the code with its amount, and the link', () => {
    const html = render({ ways: all, locale });
    expect(html).toContain('<p class="num"><span>6389</span><span>0400</span></p>');
    for (const network of OPERATED_NETWORKS) {
      expect(html).toContain(inHtml(WALLETS[network]));
      expect(html).toContain(`href="tel:${WALLET_MENUS[network]?.replace('#', '%23')}"`);
    }
    expect(html).toContain(`aria-label="${t('qrLabel')}"`);
    expect(html).toContain(t('qrAmount'));
    expect(html).toContain('href="https://pay.example.com/?a=1&amp;b=2"');
    expect(html).toContain(t('card', { provider: 'Selcom' }));
    const typed = { ...qr, text: formatQr({ ...code, amount: null }) };
    expect(render({ ways: { ...all, numbers: [], qr: typed }, locale })).toContain(t('enterAmount', { amount: AMOUNT }));
  });

  test('it warns about each open prompt, and about one that may still be paid', () => {
    const about = { mobile: '0***\u00a0***\u00a0678', amount: AMOUNT };
    const failure = { reason: 'expired', attempt, own: true, mayStillBePaid: true } as const;
    for (const [page, text] of [
      [{ state: prompt }, t('warnPrompt', about)],
      [{ others: [prompt] }, t('warnPrompt', about)],
      [{ state: { kind: 'decline', prompts: [prompt] } }, t('warnPrompt', about)],
      [{ state: { ...prompt, kind: 'unknown' } }, t('warnUnknown', about)],
      [{ state: { kind: 'ready', failure } }, t('warnHeld')],
    ] as const) {
      expect(has({ ways: all, page }, text), text).toBe(true);
      expect(has({ ways: all }, text)).toBe(false);
    }
  });

  test('every wallet has steps that name its code, the number and the amount; one asks for the amount first', () => {
    for (const provider of ['selcom', 'snippe', 'clickpesa', 'sandbox', 'another']) {
      for (const network of NETWORKS) {
        const steps = stepsOf({ ...number, provider }, network, AMOUNT, locale);
        const texts = steps.map(({ text }) => text).join('\n');
        expect(texts).toContain('6389\u00a00400');
        expect(texts).toContain(AMOUNT);
        expect(texts).not.toContain('PayWays.');
        expect(steps[0]?.dial ?? null).toBe(provider === 'sandbox' ? null : (WALLET_MENUS[network] ?? null));
        const amountFirst = texts.indexOf(AMOUNT) < texts.indexOf('6389\u00a00400');
        expect(amountFirst).toBe(network === 'airtel' && (provider === 'selcom' || provider === 'snippe'));
      }
    }
  });

  test('the message to a customer names the number, with the steps of a wallet that can pay it', () => {
    const shown = { merchant: 'Duka', amount: AMOUNT, reference: 'A-1', url: 'http://x/p/1' };
    const about = { ...shown, network: null };
    const plain = translator(locale, 'Share')('billText', shown);
    expect(billText({ ...about, ways: { numbers: [] } }, locale)).toBe(plain);
    expect(billText({ ...about, ways: { numbers: [number] } }, locale)).toBe(`${plain} ${t('message', { number: '63890400' })}`);
    const yas = billText({ ...about, network: 'yas', ways: { numbers: [number] } }, locale);
    expect(yas).toContain(`${t('dial', { code: '*150*01#' })}. ${t('menu_selcom_yas')}.`);
    const vodacom = { ...number, networks: ['vodacom'] as const };
    expect(billText({ ...about, network: 'yas', ways: { numbers: [vodacom] } }, locale)).not.toContain('*150*');
  });

  test('a printed number says for each wallet which code to dial and what to choose', () => {
    const lines = menuLines({ ...number, networks: ['vodacom', 'other'] }, locale);
    expect(lines).toEqual([`M-Pesa\u00a0*150*00#: ${t('menu_selcom_vodacom')}`]);
    expect(menuLines({ ...number, provider: 'sandbox' }, locale)).toHaveLength(1);
  });
});

test("the steps of the customer's own wallet come first and are unfolded", () => {
  const html = render({ ways: all, network: 'halotel' });
  const open = [...html.matchAll(/<details id="way-0400-(\w+)"( open="")?/g)].map(([, network, isOpen]) => [network, isOpen !== undefined]);
  expect(open).toEqual([
    ['halotel', true],
    ['vodacom', false],
    ['yas', false],
    ['airtel', false],
    ['ttcl', false],
  ]);
  expect(render({ ways: all })).not.toContain('open=""');
});

test('the page updates itself while something can change, and without a script unless the customer stops it', () => {
  for (const ways of [all, { ...nothing, waiting: 'soon' } as const]) {
    expect(render({ ways })).toContain('data-pace="quick"');
    expect(render({ ways })).toContain('http-equiv="refresh"');
    expect(render({ ways, refresh: false })).not.toContain('http-equiv="refresh"');
  }
  expect(render()).not.toContain('data-pace');
  expect(render()).not.toContain('http-equiv="refresh"');
  expect(render({ ways: all })).toContain('data-version="v.ways.w"');
});

test('the texts of a bill are escaped', () => {
  const html = render({ ways: all });
  expect(html).not.toContain('<script>alert');
  expect(html).toContain('&lt;script&gt;alert');
});

test.each([
  ['63890400', ['6389', '0400']],
  ['123456', ['123', '456']],
  ['991234567890', ['9912', '3456', '7890']],
  ['9912345678901', ['9912', '345', '678', '901']],
  ['1234', ['1234']],
])('the digits of %s are in equal groups', (text, groups) => {
  expect(groupsOf(text)).toEqual(groups);
  expect(groups.join('')).toBe(text);
});
