import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { LOCALES } from '@/lib/i18n/locale';
import type { UnpaidReason } from '@/lib/payments/attempts/unpaid-attempt';
import type { OpenPrompt } from '@/lib/payments/page/pay-state';
import type { PayPage } from '@/lib/payments/page/show-pay-page';
import { FAILURE_REASONS } from '@/lib/providers/port/outcome';
import type { FormProblem } from './form-problem';
import { previewBill } from './link-preview';
import { PayDocument } from './pay-page';

const NOW = new Date('2026-11-21T11:30:00Z');
const REASONS: readonly UnpaidReason[] = [...FAILURE_REASONS, 'expired', 'released', 'reversed', 'not_counted', 'not_completed'];

const bill: PayPage['bill'] = {
  id: 'bill',
  merchantId: 'merchant',
  merchantLanguage: null,
  expiresAt: null,
  returnUrl: null,
  merchantName: '"><script>alert(1)</script>',
  environment: 'live',
  amount: 500_000n,
  reference: "<img src=x onerror='x'>",
  mobile: null,
  customerName: '<b>Asha</b>',
  description: '<i>Ada</i>',
  dueAt: NOW,
  paidAmount: 0n,
  reservedAmount: 0n,
  status: 'NOT_PAID',
  createdAt: NOW,
  paidAt: null,
  closedAt: null,
  merchantActive: true,
  reversedAmount: 0n,
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
  settledAt: null,
  acknowledgedAt: null,
  answerLostAt: null,
  claimedPaidAt: null,
  refusedAccountIds: [],
};

const prompt: OpenPrompt = {
  kind: 'prompted',
  attempt,
  own: false,
  excessive: false,
  promptName: null,
  times: { sentAt: NOW, helpAt: NOW, until: new Date('2026-11-21T11:32:00Z') },
  helpDue: true,
};

interface Given {
  readonly form?: PayPage['form'];
  readonly bill?: Partial<PayPage['bill']>;
  readonly pace?: PayPage['pace'];
  readonly offer?: PayPage['offer'];
  readonly mobile?: string;
  readonly wrong?: FormProblem | null;
}

function render(
  state: PayPage['state'],
  locale: 'sw' | 'en' = 'en',
  { form = null, bill: changes = {}, pace = null, offer = null, mobile = '', wrong = null }: Given = {},
): string {
  const page: PayPage = { bill: { ...bill, ...changes }, state, others: [], prompted: true, form, offer, version: 'v', pace };
  const values = { mobile, amount: null, chosen: null, remember: false };
  return renderToStaticMarkup(
    <PayDocument page={page} receipt={undefined} locale={locale} values={values} wrong={wrong} refresh now={NOW} />,
  );
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
    expect(render({ kind: 'paid' })).not.toContain('Back to');
    expect(render({ kind: 'paid' }, 'en', { bill: { returnUrl: 'https://shop.example.com/?bill=7' } })).toContain('?bill=7"');
  });
});

test('the form sends the amount that its button shows, so that no other amount is requested', () => {
  const html = render({ kind: 'ready', failure: null }, 'en', { form });
  expect(html).toContain('Pay TZS\u00a05,000</button>');
  expect(html).toContain('<input type="hidden" name="amount" value="5000"/>');
});

test.each(REASONS)('an attempt that ended with %s has a heading and a reason in both languages', (reason) => {
  const headings = LOCALES.map((locale) => {
    const html = render({ kind: 'ready', failure: { reason, attempt, own: false, mayStillBePaid: false } }, locale);
    expect(html).not.toContain('ReasonTitle.');
    expect(html).not.toMatch(/<script>alert|<img/);
    expect(html).toContain('0***\u00a0***\u00a0678');
    return /<h1.*?<span>(.*?)<\/span>/.exec(html)?.[1];
  });
  expect(new Set(headings).size).toBe(2);
});

describe('the page claims only what is certain', () => {
  const ended = (reason: UnpaidReason, mayStillBePaid = false, locale: 'sw' | 'en' = 'en') =>
    render({ kind: 'ready', failure: { reason, attempt, own: true, mayStillBePaid } }, locale, { form });

  test('while the outcome is unknown, the page does not claim that anybody asks for it, and says when to ask the shop', () => {
    const html = render({ ...prompt, kind: 'unknown' });
    expect(html).not.toMatch(/not charged|We are asking/);
    expect(html).toContain('waiting for the network&#x27;s answer about the payment of TZS\u00a05,000 from 0***\u00a0***\u00a0678');
    expect(html).toContain('do not pay again until this page shows the answer. If that takes more than 15 minutes, ask the shop.');
    expect(render({ ...prompt, kind: 'unknown' }, 'sw')).toContain('Jibu likichelewa zaidi ya dakika 15, uliza dukani.');
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
    expect(ended('expired', true)).toMatch(
      /<details id="beside"><summary class="button">I did not enter my PIN: try again<\/summary><form/,
    );
    expect(ended('expired', true, 'sw')).toContain('Sikuweka namba ya siri: jaribu tena');
    expect(ended('expired')).not.toContain('beside');
  });

  test('a page that polls contains a hidden text for when the device is offline', () => {
    expect(ended('expired')).toMatch(
      /<p id="off" class="card wait" role="status" hidden="">No internet connection\. Your payment is not affected/,
    );
  });
});

test('a closed bill asks for nothing, even if it is paid in part', () => {
  const html = render({ kind: 'closed' }, 'en', { bill: { status: 'PARTIALLY_PAID', paidAmount: 200_000n, closedAt: NOW } });
  expect(html).toContain('<b>TZS\u00a05,000</b>');
  expect(html).toContain('TZS\u00a02,000 of TZS\u00a05,000 has been paid.');
  expect(html).not.toMatch(/left to pay|Pay to/);
});

describe('a paid bill with an open prompt', () => {
  const paid = { status: 'FULLY_PAID', paidAmount: 500_000n, paidAt: NOW } as const;

  test.each([true, false])('asks first to decline the prompt (own: %s)', (own) => {
    const html = render({ kind: 'decline', prompts: [{ ...prompt, own, excessive: true }] }, 'en', { bill: paid, pace: 'quick' });
    expect(html).toMatch(/<h1.*?<span>Already paid\. DECLINE the request on your phone\.<\/span>/);
    expect(html).toContain(`${own ? '0712\u00a0345\u00a0678' : '0***\u00a0***\u00a0678'} may still show a request for TZS\u00a05,000.`);
    expect(html).toMatch(/data-pace="quick".*http-equiv="refresh"/s);
    expect(html).not.toMatch(/Check your phone|Enter your PIN/);
  });

  test('asks the same if less is left than the prompt asks for', () => {
    const part = { status: 'PARTIALLY_PAID', paidAmount: 200_000n } as const;
    const html = render({ kind: 'decline', prompts: [{ ...prompt, excessive: true }] }, 'sw', { bill: part });
    expect(html).toMatch(/<h1.*?<span>Imebaki TZS\u00a03,000 tu\. KATAA ombi lililo kwenye simu yako\.<\/span>/);
    expect(html).toContain('<b>TZS\u00a02,000</b> <small>zimelipwa</small>');
  });
});

describe('the help for a missing prompt', () => {
  test('shows the number, the network and its menu only to the device that started the attempt', () => {
    const own = render({ ...prompt, own: true });
    expect(own).toMatch(/right number and network: 0712\u00a0345\u00a0678, Mixx by Yas\?/);
    expect(own).toContain('a menu such as *150*01#?');
    expect(own).not.toContain('*150*00#');
    expect(render(prompt)).toContain('Is this the right number: 0***\u00a0***\u00a0678?');
    expect(render(prompt)).not.toMatch(/Mixx|class="mark|712|\*150/);
    expect(render({ ...prompt, own: true, attempt: { ...attempt, network: 'ttcl' } })).not.toContain('*150');
    expect(render({ ...prompt, own: true, attempt: { ...attempt, network: 'vodacom' } })).toContain('M\u2011Pesa?');
  });

  test('has three lines, and the rest folded', () => {
    const [, list = '', folded = ''] = /<ol>(.*?)<\/ol><details id="more">(.*?)<\/details>/.exec(render(prompt)) ?? [];
    expect(list.match(/<li>/g)).toHaveLength(3);
    expect(folded).toContain('A second request before that could charge you twice.');
  });
});

describe('a prompt', () => {
  test('has one time: that of the day, which the script replaces by the remaining time', () => {
    const html = render(prompt);
    expect(html).toMatch(/data-left="Time left" data-over="[^"]+">Please respond by<\/span>/);
    expect(html).toMatch(/<b id="left" data-ms="120000" data-of="120000">14:32<\/b>/);
    expect(html.match(/14:32/g)).toHaveLength(2);
    expect(html).toMatch(/<circle[^>]*id="ring"/);
  });

  test('is announced to the device that requested it, and explained to all others', () => {
    const [own, other] = [render({ ...prompt, own: true }), render(prompt)];
    expect(own).toMatch(/<h1.*?<span>Check your phone<\/span>/);
    expect(own).toContain('Enter your PIN on the phone to approve the payment.');
    expect(other).toMatch(/<h1.*?<span>The phone ending in 678 has a payment request<\/span>/);
    expect(other).toContain('Is that phone yours? Enter your PIN on it. If not, wait here.');
    expect(other).not.toMatch(/Check your phone|Enter your PIN on the/);
    expect(render(prompt, 'sw')).toContain('Simu hiyo ni yako? Weka namba ya siri (PIN) kwenye simu hiyo. Si yako? Subiri hapa.');
  });

  test('is compared by the name that it shows, or by its amount only if the account defines no name', () => {
    const named = { ...prompt, promptName: 'SELCOM <b>' };
    expect(render(named)).toContain('The phone shows SELCOM &lt;b&gt; and TZS\u00a05,000. If it shows anything else, decline the request.');
    expect(render(named, 'sw')).toContain('Kwenye simu utaona SELCOM &lt;b&gt; na TZS\u00a05,000.');
    expect(render(prompt)).toContain('If the phone shows a different amount, decline the request.');
  });

  test('that has not reached the network is not on any phone yet', () => {
    const html = render({ ...prompt, kind: 'sending', times: null, helpDue: false });
    expect(html).toMatch(/<h1.*?<span>Sending the request…<\/span>/);
    expect(html).not.toMatch(/Check your phone|id="left"/);
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
    expect(html).toContain('<button type="submit">Try again with 0712\u00a0345\u00a0678</button>');
    expect(html).toMatch(/<details id="other"><summary class="button">Use another number<\/summary><form/);
    expect(html).not.toContain('Last request');
    expect(html).toContain('<b>TZS\u00a05,000</b> <small>left to pay</small>');
  });

  test('the button repeats the chosen amount, if it can still be paid', () => {
    const amounts = { min: 50_000n, max: 500_000n, proposed: 500_000n, because: 'merchant' } as const;
    const part = { ...attempt, amount: 200_000n };
    expect(failed('wrong_pin', { amounts, again: part })).toContain('Pay TZS\u00a02,000 again with 0712\u00a0345\u00a0678</button>');
    expect(failed('wrong_pin', { amounts: { ...amounts, max: 100_000n, proposed: 100_000n }, again: part })).toContain(
      'Pay TZS\u00a01,000',
    );
  });

  test.each(['mobile_not_registered', 'number_refused', 'too_many_prompts', 'limit_exceeded', 'amount_invalid', 'no_provider'] as const)(
    'with %s the same request cannot succeed, so the form is open',
    (reason) => {
      expect(failed(reason)).not.toMatch(/id="other"|Try again with/);
    },
  );
});

test('an overdue bill can still be paid, and the page says so', () => {
  const due = (dueAt: Date) => render({ kind: 'ready', failure: null }, 'en', { form, bill: { dueAt } });
  expect(due(new Date(NOW.getTime() - 24 * 3_600_000))).toMatch(/<dd class="over">20.Nov.2026: /);
  expect(due(NOW)).not.toContain('class="over"');
});

test.each(['closed', 'expired'] as const)('a bill that is %s shows a button to call the shop, if the shop has a number', (end) => {
  const ended = { closedAt: NOW, expiresAt: end === 'expired' ? NOW : null };
  const call = /<a class="button" href="tel:0712345678">/;
  expect(render({ kind: 'closed' }, 'en', { bill: { ...ended, supportNumber: '0712345678' } })).toMatch(call);
  expect(render({ kind: 'closed' }, 'en', { bill: ended })).not.toContain('tel:');
});

test('the page shows what the bill is for, for whom, and until when, if the shop says so', () => {
  const info = { customerName: 'Asha <i>', description: 'School fees', dueAt: new Date('2026-11-30T20:59:59.999Z') };
  const html = render({ kind: 'ready', failure: null }, 'en', { form, bill: info });
  expect(html).toContain('<dt>Payment for</dt><dd>School fees</dd>');
  expect(html).toContain('<dt>Customer</dt><dd>Asha &lt;i&gt;</dd>');
  expect(html).toContain('<dt>Due date</dt><dd>30\u00a0Nov\u00a02026</dd>');
  const none = { customerName: null, description: null, dueAt: null };
  expect(render({ kind: 'ready', failure: null }, 'en', { form, bill: none })).not.toMatch(/<dt>(For|Customer|Due)</);
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
    ...{ bill, state: { kind: 'ready', failure: null }, others: [], prompted: false, form, offer: null, version: 'v', pace: null },
    ...changes,
  });

  test('names the shop, the amount and the reference, and shows the picture', () => {
    const shop = { ...bill, merchantName: 'Duka', reference: 'R-1', logoHash: 'abc' };
    expect(previewBill(page({ bill: shop }), base, 'en')).toEqual({
      title: 'Duka: pay TZS\u00a05,000',
      description: 'Reference R-1',
      image: 'https://pay.example/pay/picture/bill/bill.png?lang=en&paid=0',
    });
    expect(previewBill(page({ bill: shop }), base, 'sw').title).toBe('Duka: lipa TZS\u00a05,000');
  });

  test('of a bill that cannot be paid says why', () => {
    const shop = { ...bill, merchantName: 'Duka' };
    expect(previewBill(page({ bill: shop, form: null, state: { kind: 'closed' } }), base, 'en').title).toBe('Duka: This bill is closed');
  });
});

test('the form names the network of a known number, and unfolds the choice for a problem with it', () => {
  const offer = { networks: ['vodacom', 'yas'], down: [], chosen: null } as const;
  const given = { form: { ...form, prefixes: 'vodacom:74,75;yas:71' }, offer };
  const guess = (html: string) => /<span id="guess"[^>]*>(.*?)<\/span>/.exec(html)?.[1];
  expect(guess(render({ kind: 'ready', failure: null }, 'en', given))).toBe('Network');
  const known = { ...given, mobile: '0712 345 678' };
  expect(guess(render({ kind: 'ready', failure: null }, 'en', known))).toBe('<i class="mark yas"></i>Mixx by Yas');
  expect(render({ kind: 'ready', failure: null }, 'en', given)).toContain('<span id="how">(from the number)</span>');
  expect(render({ kind: 'ready', failure: null }, 'en', known)).toContain('<span id="how" hidden="">');
  expect(render({ kind: 'ready', failure: null }, 'en', known)).toContain('<details class="net" id="net"><summary>');
  const wrong: FormProblem = {
    typed: { mobile: '0712 345 678', amount: null, chosen: null, remember: false },
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
    expect(html).toContain('M-Pesa has problems at the moment. You can pay with Airtel Money, Mixx by Yas.');
    expect(html).toContain('value="vodacom"');
    expect(render(ready, 'sw', { form, offer: one })).toContain(
      'Kuna tatizo kwenye M-Pesa kwa sasa. Unaweza kulipa kwa Airtel Money, Mixx by Yas.',
    );
  });

  test('are named alone if no other works', () => {
    expect(render(ready, 'en', { form, offer: all })).toContain(
      'M-Pesa, Airtel Money have problems at the moment. You can still try. You are charged only if you enter your PIN.',
    );
    expect(render(ready, 'sw', { form, offer: all })).toContain('Bado unaweza kujaribu. Hukatwi pesa usipoweka namba ya siri.');
  });

  test('are not mentioned if none is down', () => {
    expect(render(ready, 'en', { form, offer: { ...one, down: [] } })).not.toContain('problems at the moment');
  });
});
