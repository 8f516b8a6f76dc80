import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { Entry } from '@/components/dashboard/bill-page/entry';
import type { AttemptView, DeliveryView } from '@/lib/backoffice/delivery-log/delivery-view';
import type { Hold } from '@/lib/gateway/webhooks/endpoint/endpoint-rules';
import { LOCALES, type Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { DeliveryList, HoldNotice } from './delivery-list';

const SINCE = new Date('2026-11-20T00:09:43Z');
const NEXT = new Date('2026-11-20T00:09:48Z');
const STOPS = [
  ['paused', { kind: 'paused', since: SINCE }],
  ['gone', { kind: 'disabled', since: SINCE, reason: 'gone' }],
  ['week', { kind: 'disabled', since: SINCE, reason: 'failing' }],
] as const satisfies readonly (readonly [string, Hold])[];

const TRY: AttemptView = {
  id: 't1',
  deliveryId: 'd1',
  number: 1,
  trigger: 'automatic',
  triggeredBy: null,
  startedAt: SINCE,
  url: 'https://shop.example.com/bili',
  address: null,
  httpStatus: 410,
  durationMs: 20,
  dnsMs: null,
  connectMs: null,
  tlsMs: null,
  firstByteMs: null,
  error: 'gone',
  errorData: {},
  requestHeaders: {},
  responseHeaders: {},
  excerpt: '',
  nextAttemptAt: NEXT,
};

function waiting(changes: Pick<DeliveryView, 'hold' | 'nextTry'>): DeliveryView {
  const bill = { billId: 'b1', reference: 'ORDER-1', billStatus: 'FULLY_PAID' } as const;
  return { id: 'd1', ...bill, state: 'PENDING', attemptCount: 1, dueAt: NEXT, createdAt: SINCE, attempts: [TRY], ...changes };
}

/** Returns the texts of the delivery list and of the bill's history. */
function shown(delivery: DeliveryView, locale: Locale): string[] {
  return [
    <DeliveryList key="list" deliveries={[delivery]} deliveryPath={(id) => id} now={SINCE} locale={locale} />,
    <Entry
      key="bill"
      group={{ entry: { kind: 'webhook', id: 'w', at: SINCE, delivery }, at: SINCE, steps: [], payment: null, status: null }}
      now={SINCE}
      keyLabel={null}
      correct={null}
      locale={locale}
    />,
  ].map((page) => renderToStaticMarkup(page));
}

describe.each(LOCALES)('in %s', (locale) => {
  const hooks = translator(locale, 'Hooks');
  const webhooks = translator(locale, 'Webhooks');

  test.each(STOPS)('a delivery of a stopped endpoint (%s) shows no time of the next attempt', (_name, hold) => {
    for (const html of shown(waiting({ hold, nextTry: null }), locale)) {
      expect(html).toContain(webhooks('state_STOPPED'));
      expect(html).not.toContain('03:09:48');
    }
  });

  test.each(STOPS)('the notice of a stopped endpoint (%s) gives the reason and the button that resumes it', (_name, hold) => {
    const notice = renderToStaticMarkup(<HoldNotice hold={hold} endpointPath="/m/duka/live/webhooks" locale={locale} />);
    const [, entry] = shown(waiting({ hold: hold, nextTry: null }), locale);
    for (const html of [notice, entry]) {
      expect(html).toContain('03:09:43');
      expect(html).toContain(`“${hooks('resume')}”`);
    }
    expect(notice).toContain('href="/m/duka/live/webhooks"');
  });

  test('the three reasons have different texts', () => {
    const said = STOPS.map(([, hold]) => renderToStaticMarkup(<HoldNotice hold={hold} endpointPath="/" locale={locale} />));
    expect(new Set(said).size).toBe(3);
    expect(said[1]).toContain('410');
  });

  test('a delivery that is retried shows the time of the next attempt', () => {
    for (const html of shown(waiting({ hold: null, nextTry: NEXT }), locale)) {
      expect(html).toContain(webhooks('state_RETRYING'));
      expect(html).toContain('03:09:48');
    }
  });
});
