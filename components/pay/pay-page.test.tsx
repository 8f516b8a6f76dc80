import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import type { UnpaidReason } from '@/lib/gateway/attempts/unpaid-attempt';
import type { PayPage } from '@/lib/gateway/payment-page/show-pay-page';
import { LOCALES } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { FAILURE_REASONS } from '@/lib/providers/port/outcome';
import type { FormProblem } from './form-problem';
import { previewBill } from './link-preview';
import { PayDocument } from './pay-page';
import { attempt, bill, NOW, prompt } from './sample-page';

const [en, sw] = [translator('en', 'Pay'), translator('sw', 'Pay')];
const AMOUNT = 'TZS\u00a05,000';
const [OWN, MASKED] = ['0712\u00a0345\u00a0678', '0***\u00a0***\u00a0678'];
const REASONS: readonly UnpaidReason[] = [...FAILURE_REASONS, 'expired', 'released', 'reversed', 'not_counted', 'not_completed'];

interface Given {
  readonly form?: PayPage['form'];
  readonly bill?: Partial<PayPage['bill']>;
  readonly pace?: PayPage['pace'];
  readonly offer?: PayPage['offer'];
  readonly mobile?: string;
  readonly wrong?: FormProblem | null;
  readonly ways?: { readonly offered: boolean; readonly issued: boolean };
}

/** Returns a text as HTML. */
function inHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll("'", '&#x27;');
}

/** Returns the heading of a page. */
function headingOf(html: string): string | undefined {
  return /<h1.*?<span>(.*?)<\/span>/.exec(html)?.[1];
}

const NO_WAYS = { offered: false, issued: false };

function render(
  state: PayPage['state'],
  locale: 'sw' | 'en' = 'en',
  { form = null, bill: changes = {}, pace = null, offer = null, mobile = '', wrong = null, ways = NO_WAYS }: Given = {},
): string {
  const page: PayPage = { bill: { ...bill, ...changes }, state, others: [], prompted: true, returns: [], form, offer, version: 'v', pace };
  const values = { mobile, amount: null, chosen: null, remember: false };
  return renderToStaticMarkup(<PayDocument {...{ page, locale, values, wrong, ways }} receipt={undefined} refresh now={NOW} />);
}

const form = { id: 'f'.repeat(22), payable: 500_000n, amounts: null, prefixes: '', again: null };

describe('the way back to the shop', () => {
  const returnUrl = 'https://shop.example.com/orders/17?a=b';
  const link = '<a href="https://shop.example.com/orders/17?a=b&amp;bill=bill"';

  test('is a button when nothing is left to do', () => {
    for (const state of [{ kind: 'paid' }, { kind: 'closed' }] as const)
      expect(render(state, 'en', { bill: { returnUrl, status: state.kind === 'paid' ? 'FULLY_PAID' : 'NOT_PAID' } })).toContain(
        `<p class="screen">${link} class="button"`,
      );
  });

  test('is a small link while the bill can be paid or a prompt is open', () => {
    for (const state of [{ kind: 'ready', failure: null } as const, prompt])
      expect(render(state, 'en', { bill: { returnUrl }, form })).toContain(`<p class="small center screen">${link}`);
  });

  test('does not exist for a bill without an address, and keeps a parameter of the shop', () => {
    expect(render({ kind: 'paid' })).not.toContain(inHtml(en('backToShop', { merchant: bill.merchantName })));
    expect(render({ kind: 'paid' }, 'en', { bill: { returnUrl: 'https://shop.example.com/?bill=7' } })).toContain('?bill=7"');
  });
});

test('the form sends the amount that its button shows, so that no other amount is requested', () => {
  const html = render({ kind: 'ready', failure: null }, 'en', { form });
  expect(html).toContain(`${en('payButton', { amount: AMOUNT })}</button>`);
  expect(html).toContain('<input type="hidden" name="amount" value="5000"/>');
});

test.each(REASONS)('an attempt that ended with %s has a heading and a reason in both languages', (reason) => {
  const headings = LOCALES.map((locale) => {
    const html = render({ kind: 'ready', failure: { reason, attempt, own: false, mayStillBePaid: false } }, locale);
    expect(html).not.toContain('ReasonTitle.');
    expect(html).not.toMatch(/<script>alert|<img/);
    expect(html.includes(MASKED)).toBe(reason !== 'reversed');
    return headingOf(html);
  });
  expect(new Set(headings).size).toBe(2);
});

describe('the page claims only what is certain', () => {
  const ended = (reason: UnpaidReason, mayStillBePaid = false, locale: 'sw' | 'en' = 'en') =>
    render({ kind: 'ready', failure: { reason, attempt, own: true, mayStillBePaid } }, locale, { form });

  test('while the outcome is unknown, the page does not claim that anybody asks for it, and says when to ask the shop', () => {
    const html = render({ ...prompt, kind: 'unknown' });
    expect(html).not.toMatch(/not charged|We are asking/);
    const values = { amount: AMOUNT, mobile: MASKED, minutes: 15 };
    expect(html).toContain(inHtml(en('unknownText', values)));
    expect(render({ ...prompt, kind: 'unknown' }, 'sw')).toContain(inHtml(sw('unknownText', values)));
  });

  test.each(REASONS)('after %s the page says "not charged" only if that is certain', (reason) => {
    const certain: readonly UnpaidReason[] = [
      'user_cancelled',
      'wrong_pin',
      'insufficient_funds',
      'mobile_not_registered',
      'no_provider',
      'merchant_config',
      'provider_unavailable',
      'not_sent_in_time',
      'too_many_prompts',
      'number_refused',
    ];
    expect(/not charged|[Nn]othing was/.test(ended(reason))).toBe(certain.includes(reason));
    expect(/[Hh]ujakatwa|kukata/.test(ended(reason, false, 'sw'))).toBe(certain.includes(reason));
  });

  test.each(REASONS)('after %s the page is red only if no money can arrive any more', (reason) => {
    const open: readonly UnpaidReason[] = ['expired', 'user_timeout', 'released', 'not_completed'];
    expect(ended(reason)).toContain(`<section class="card ${open.includes(reason) ? 'wait' : 'bad'}">`);
  });

  test.each(['expired', 'user_timeout', 'not_completed'] as const)(
    'after %s the page tells customers who entered the PIN to wait for the SMS',
    (reason) => {
      expect(ended(reason)).toMatch(/entered (your|the) PIN, wait for the network&#x27;s SMS/);
      expect(ended(reason, false, 'sw')).toMatch(/SMS ya mtandao kabla ya kujaribu tena/);
    },
  );

  test('the form is folded while money may still arrive, and can be unfolded without JavaScript', () => {
    expect(ended('expired', true)).toContain(`<details id="beside"><summary class="button">${en('tryHeld')}</summary><form`);
    expect(ended('expired', true, 'sw')).toContain(sw('tryHeld'));
    expect(ended('expired')).not.toContain('beside');
  });

  test('a page that polls contains a hidden text for when the device is offline', () => {
    expect(ended('expired')).toContain(`<p id="off" class="card wait" role="status" hidden="">${en('offline')}`);
  });
});

test('a closed bill asks for nothing, even if it is paid in part', () => {
  const html = render({ kind: 'closed' }, 'en', { bill: { status: 'PARTIALLY_PAID', paidAmount: 200_000n, closedAt: NOW } });
  expect(html).toContain('<b>TZS\u00a05,000</b>');
  expect(html).toContain(en('partText', { paid: 'TZS\u00a02,000', amount: AMOUNT }));
  for (const text of [en('sumRemaining'), en('payTo')]) expect(html).not.toContain(text);
});

describe('a paid bill with an open prompt', () => {
  const paid = { status: 'FULLY_PAID', paidAmount: 500_000n, paidAt: NOW } as const;

  test.each([true, false])('asks first to decline the prompt (own: %s)', (own) => {
    const html = render({ kind: 'decline', prompts: [{ ...prompt, own, excessive: true }] }, 'en', { bill: paid, pace: 'quick' });
    expect(headingOf(html)).toBe(en('declinePaidTitle'));
    expect(html).toContain(en('declinePrompt', { mobile: own ? OWN : MASKED, amount: AMOUNT }));
    expect(html).toMatch(/data-pace="quick".*http-equiv="refresh"/s);
    for (const text of [en('promptedTitle'), en('promptedText'), en('pinOnPhone')]) expect(html).not.toContain(text);
  });

  test('asks the same if less is left than the prompt asks for', () => {
    const part = { status: 'PARTIALLY_PAID', paidAmount: 200_000n } as const;
    const html = render({ kind: 'decline', prompts: [{ ...prompt, excessive: true }] }, 'sw', { bill: part });
    expect(headingOf(html)).toBe(sw('declinePartTitle', { remaining: 'TZS\u00a03,000' }));
    expect(html).toContain(`<b>TZS\u00a02,000</b> <small>${sw('sumPaid')}</small>`);
  });
});

describe('the help for a missing prompt', () => {
  test('shows the number, the network and its menu only to the device that started the attempt', () => {
    const own = render({ ...prompt, own: true });
    expect(own).toContain(en('helpNumber', { mobile: OWN, wallet: 'Mixx by Yas' }));
    expect(own).toContain(en('helpPhoneMenu', { code: '*150*01#' }));
    expect(own).not.toContain('*150*00#');
    expect(render(prompt)).toContain(en('helpNumberOnly', { mobile: MASKED }));
    expect(render(prompt)).not.toMatch(/Mixx|class="mark|712|\*150/);
    expect(render({ ...prompt, own: true, attempt: { ...attempt, network: 'other' } })).not.toContain('*150');
    expect(render({ ...prompt, own: true, attempt: { ...attempt, network: 'vodacom' } })).toContain('M\u2011Pesa.');
  });

  test('has three lines, and the rest folded', () => {
    const [, list = '', folded = ''] = /<ol>(.*?)<\/ol><details id="more">(.*?)<\/details>/.exec(render(prompt)) ?? [];
    expect(list.match(/<li>/g)).toHaveLength(3);
    expect(folded).toContain(en('helpAgain', { time: '14:32' }));
  });
});

describe('a prompt', () => {
  test('has one time: that of the day, which the script replaces by the remaining time', () => {
    const html = render(prompt);
    expect(html).toContain(`data-left="${en('timeLeft')}" data-over="${en('timeOver')}">${en('respondBy')}</span>`);
    expect(html).toMatch(/<b id="left" data-ms="120000" data-of="120000">14:32<\/b>/);
    expect(html.match(/14:32/g)).toHaveLength(2);
    expect(html).toMatch(/<circle[^>]*id="ring"/);
  });

  test('is announced to the device that requested it, and explained to all others', () => {
    const [own, other] = [render({ ...prompt, own: true }), render(prompt)];
    expect(headingOf(own)).toBe(en('promptedTitle'));
    expect(own).toContain(en('promptedText'));
    expect(headingOf(other)).toBe(en('promptedOtherTitle', { digits: '678' }));
    expect(other).toContain(en('promptedOtherText'));
    for (const text of [en('promptedTitle'), en('promptedText')]) expect(other).not.toContain(text);
    expect(render(prompt, 'sw')).toContain(sw('promptedOtherText'));
  });

  test('is compared by the name that it shows, or by its amount only if the account defines no name', () => {
    const named = { ...prompt, promptName: 'SELCOM <b>' };
    expect(render(named)).toContain(inHtml(en('promptedName', { name: named.promptName, amount: AMOUNT })));
    expect(render(named, 'sw')).toContain(inHtml(sw('promptedName', { name: named.promptName, amount: AMOUNT })));
    expect(render(prompt)).toContain(en('promptedCheck'));
  });

  test('that has not reached the network is not on any phone yet', () => {
    const html = render({ ...prompt, kind: 'sending', times: null, helpDue: false });
    expect(headingOf(html)).toBe(en('sendingTitle'));
    for (const text of [en('promptedTitle'), 'id="left"']) expect(html).not.toContain(text);
    expect(html).toContain('content="3;url=');
  });
});

describe('after a failure', () => {
  const again = { ...form, again: attempt };
  const failed = (reason: UnpaidReason, changes: Partial<PayPage['form'] & object> = {}) =>
    render({ kind: 'ready', failure: { reason, attempt, own: true, mayStillBePaid: false } }, 'en', { form: { ...again, ...changes } });

  test('one button repeats the request, and the form is folded', () => {
    const html = failed('wrong_pin');
    expect(html).toMatch(/<input type="hidden" name="mobile" value="0712345678"\/><input type="hidden" name="amount" value="5000"\/>/);
    expect(html).toContain(`<button type="submit">${en('retry', { mobile: OWN })}</button>`);
    expect(html).toContain(`<details id="other"><summary class="button">${en('useOther')}</summary><form`);
    expect(html).not.toContain(en('triedFor', { amount: AMOUNT, mobile: OWN }));
    expect(html).toContain(`<b>${AMOUNT}</b> <small>${en('sumRemaining')}</small>`);
  });

  test('the button repeats the chosen amount, if it can still be paid', () => {
    const amounts = { min: 50_000n, max: 500_000n, proposed: 500_000n, because: 'merchant' } as const;
    const part = { ...attempt, amount: 200_000n };
    expect(failed('wrong_pin', { amounts, again: part })).toContain(
      `${en('retryAmount', { amount: 'TZS\u00a02,000', mobile: OWN })}</button>`,
    );
    expect(failed('wrong_pin', { amounts: { ...amounts, max: 100_000n, proposed: 100_000n }, again: part })).toContain(
      en('payButton', { amount: 'TZS\u00a01,000' }),
    );
  });

  test.each(['mobile_not_registered', 'number_refused', 'too_many_prompts', 'limit_exceeded', 'amount_invalid', 'no_provider'] as const)(
    'with %s the same request cannot succeed, so the form is open',
    (reason) => {
      for (const text of ['id="other"', en('retry', { mobile: OWN })]) expect(failed(reason)).not.toContain(text);
    },
  );
});

test('an overdue bill can still be paid, and the page says so', () => {
  const due = (dueAt: Date) => render({ kind: 'ready', failure: null }, 'en', { form, bill: { dueAt } });
  expect(due(new Date(NOW.getTime() - 24 * 3_600_000))).toMatch(/<dd class="over">20.Nov.2026 · /);
  expect(due(NOW)).not.toContain('class="over"');
});

describe('how to reach the shop', () => {
  const ended = { closedAt: NOW, expiresAt: null };
  const states = [{ kind: 'closed' }, { kind: 'inactive' }, { kind: 'unserved' }, { kind: 'overpaid' }] as const;

  test.each(states)('is shown as buttons where only the shop can help: $kind', ({ kind }) => {
    const paid = kind === 'overpaid' ? ({ status: 'FULLY_PAID', paidAmount: 700_000n } as const) : ended;
    const html = render({ kind }, 'en', { bill: { ...paid, reference: 'R-1', supportNumber: '0712345678' } });
    expect(html).toContain('<a class="button" href="tel:0712345678">');
    expect(html).toContain(
      `<a class="button" href="https://wa.me/255712345678?text=${encodeURIComponent(en('askText', { reference: 'R-1' }))}"`,
    );
    expect(render({ kind }, 'en', { bill: paid })).not.toMatch(/tel:|wa\.me/);
  });

  test('by WhatsApp is not offered for a landline, or while the bill can be paid', () => {
    const landline = render({ kind: 'closed' }, 'en', { bill: { ...ended, supportNumber: '0222123456' } });
    expect(landline).toContain('href="tel:0222123456"');
    expect(landline).not.toContain('wa.me');
    expect(render({ kind: 'ready', failure: null }, 'en', { form, bill: { supportNumber: '0712345678' } })).not.toContain('wa.me');
  });
});

test('a reversed payment names no last request', () => {
  const failure = { reason: 'reversed', attempt, own: false, mayStillBePaid: false } as const;
  expect(render({ kind: 'ready', failure }, 'en', { form })).not.toContain(MASKED);
});

test('names and references do not change the direction of the text around them', () => {
  const written = { merchantName: 'Duka\u202e', reference: 'Kodi\u202eabc', description: 'Ada\u202e', customerName: 'Asha\u202e' };
  const html = render({ kind: 'ready', failure: null }, 'en', { form, bill: written });
  for (const text of Object.values(written)) expect(html).toContain(`<bdi>${text}</bdi>`);
  expect(render({ kind: 'closed' }, 'en', { bill: written })).toContain(en('closedText', { merchant: '\u2068Duka\u202e\u2069' }));
});

describe('the header', () => {
  const header = (changes: Partial<PayPage['bill']>) =>
    /<header>.*?<\/header>/.exec(render({ kind: 'ready', failure: null }, 'en', { form, bill: changes }))?.[0] ?? '';

  test('has the mark and the name of a shop without a logo', () => {
    const html = header({ merchantName: 'Duka' });
    expect(html).toMatch(/<svg[^>]*aria-hidden="true".*>D<\/text>/);
    expect(html).toContain('<b><bdi>Duka</bdi></b>');
    expect(html).toContain(en('paidThrough'));
  });

  test('has the name once: beside a narrow logo, or as the description of a wide one', () => {
    const logo = { merchantName: 'Duka', logoHash: 'abc', logoHeight: 40 };
    expect(header({ ...logo, logoWidth: 40 })).toMatch(/<img[^>]* alt="".*<bdi>Duka<\/bdi>/);
    const wide = header({ ...logo, logoWidth: 120 });
    expect(wide).toContain('alt="Duka"');
    expect(wide).not.toContain('<bdi>');
  });
});

test('the page shows what the bill is for, for whom, and until when, if the shop says so', () => {
  const info = { customerName: 'Asha <i>', description: 'School fees', dueAt: new Date('2026-11-30T20:59:59.999Z') };
  const html = render({ kind: 'ready', failure: null }, 'en', { form, bill: info });
  expect(html).toContain('<p class="for"><bdi>School fees</bdi></p>');
  expect(html).toContain(`<dt>${en('customer')}</dt><dd><bdi>Asha &lt;i&gt;</bdi></dd>`);
  expect(html).toContain(`<dt>${en('dueAt')}</dt><dd>30\u00a0Nov\u00a02026</dd>`);
  const none = { customerName: null, description: null, dueAt: null };
  const bare = render({ kind: 'ready', failure: null }, 'en', { form, bill: none });
  for (const absent of [`<dt>${en('customer')}<`, `<dt>${en('dueAt')}<`, 'class="for"']) expect(bare).not.toContain(absent);
});

test.each([
  [12_500_000n, 'sum'],
  [1_250_050n, 'sum long'],
  [250_000_000n, 'sum long'],
])('an amount of %s senti has a size that keeps it in one line of a phone', (amount, size) => {
  expect(render({ kind: 'ready', failure: null }, 'en', { bill: { amount } })).toContain(`<p class="${size}">`);
});

describe('a link preview', () => {
  const base = new URL('https://pay.example');
  const page = (changes: Partial<PayPage> = {}): PayPage => ({
    ...{
      bill,
      state: { kind: 'ready', failure: null },
      others: [],
      prompted: false,
      returns: [],
      form,
      offer: null,
      version: 'v',
      pace: null,
    },
    ...changes,
  });

  test('names the shop, the amount and the reference, and shows the picture', () => {
    const shop = { ...bill, merchantName: 'Duka', reference: 'R-1', logoHash: 'abc' };
    expect(previewBill(page({ bill: shop }), base, 'en')).toEqual({
      title: en('previewPay', { merchant: 'Duka', amount: AMOUNT }),
      description: `${en('reference')} R-1`,
      image: 'https://pay.example/pay/picture/bill/bill.png?lang=en&paid=0',
    });
    expect(previewBill(page({ bill: shop }), base, 'sw').title).toBe(sw('previewPay', { merchant: 'Duka', amount: AMOUNT }));
  });

  test('of a bill that cannot be paid says why', () => {
    const shop = { ...bill, merchantName: 'Duka' };
    expect(previewBill(page({ bill: shop, form: null, state: { kind: 'closed' } }), base, 'en').title).toBe(
      en('previewState', { merchant: 'Duka', state: en('closedTitle') }),
    );
  });
});

test('the form names the network of a known number, and unfolds the choice for a problem with it', () => {
  const offer = { networks: ['vodacom', 'yas'], down: [], chosen: null } as const;
  const given = { form: { ...form, prefixes: 'vodacom:74,75;yas:71' }, offer };
  const guess = (html: string) => /<span id="guess"[^>]*>(.*?)<\/span>/.exec(html)?.[1];
  const unknown = render({ kind: 'ready', failure: null }, 'en', given);
  expect(guess(unknown)).toBe('');
  expect(unknown).toContain('<span id="known" hidden="">');
  expect(unknown).toContain(`<u id="choose">${en('networkChoose')}</u>`);
  const known = { ...given, mobile: '0712 345 678' };
  expect(guess(render({ kind: 'ready', failure: null }, 'en', known))).toBe('<b class="mark yas">Mixx by Yas</b>');
  expect(render({ kind: 'ready', failure: null }, 'en', known)).toContain('<u id="choose" hidden="">');
  expect(render({ kind: 'ready', failure: null }, 'en', known)).toContain('<details class="net" id="net"><summary>');
  const wrong: FormProblem = {
    values: { mobile: '0712 345 678', amount: null, chosen: null, remember: false },
    problem: { field: 'network', kind: 'notServed', network: 'other' },
  };
  expect(render({ kind: 'ready', failure: null }, 'en', { ...known, wrong })).toContain('<details class="net" id="net" open="">');
});

describe('networks that are down', () => {
  const form = { payable: 500_000n, amounts: null, prefixes: '', id: 'form', again: null };
  const ready = { kind: 'ready', failure: null } as const;
  const one = { networks: ['vodacom', 'airtel', 'yas'], down: ['vodacom'], chosen: null } as const;
  const all = { networks: ['vodacom', 'airtel'], down: ['vodacom', 'airtel'], chosen: null } as const;

  test('are named together with those that work, and can still be chosen', () => {
    const html = render(ready, 'en', { form, offer: one });
    expect(html).toContain(
      `${en('networkDown', { wallets: 'M-Pesa', count: 1 })} ${en('networkDownOthers', { wallets: 'Airtel Money, Mixx by Yas' })}`,
    );
    expect(html).toContain('value="vodacom"');
    expect(render(ready, 'sw', { form, offer: one })).toContain(
      `${sw('networkDown', { wallets: 'M-Pesa', count: 1 })} ${sw('networkDownOthers', { wallets: 'Airtel Money, Mixx by Yas' })}`,
    );
  });

  test('are named alone if no other works', () => {
    expect(render(ready, 'en', { form, offer: all })).toContain(
      `${en('networkDown', { wallets: 'M-Pesa, Airtel Money', count: 2 })} ${en('networkDownTry')}`,
    );
    expect(render(ready, 'sw', { form, offer: all })).toContain(sw('networkDownTry'));
  });

  test('are not mentioned if none is down', () => {
    expect(render(ready, 'en', { form, offer: { ...one, down: [] } })).not.toContain(en('networkDown', { wallets: 'M-Pesa', count: 1 }));
  });
});
