import { describe, expect, test } from 'vitest';
import { ERROR_CLASSES, type ErrorData } from '@/lib/gateway/webhooks/failure-rules';
import { LOCALES } from '@/lib/platform/i18n/locale';
import { describeFailure } from './describe-failure';

const STAGES = ['name', 'connect', 'tls', 'answer', 'body'];
const CHANGES = ['https', 'www', 'slash', 'elsewhere'];
const FAULTS = ['http2', 'client_certificate', 'refused', 'weak'];
const REASONS = ['self_signed', 'incomplete_chain', 'unknown_issuer', 'issuer_expired'];

/** Returns examples of all kinds of data that a failure of this class can have. */
function dataOf(errorClass: string): readonly ErrorData[] {
  switch (errorClass) {
    case 'timeout':
      return [{}, ...STAGES.map((stage) => ({ stage }))];
    case 'redirect':
      return [{}, ...CHANGES.map((change) => ({ change, location: 'https://www.shop.example/bili', status: 301 }))];
    case 'cert_untrusted':
      return [{}, ...REASONS.map((reason) => ({ reason, issuer: 'Duka CA' })), ...REASONS.map((reason) => ({ reason }))];
    case 'cert_expired':
      return [{}, { validTo: '2026-03-03T00:00:00.000Z' }, { validTo: 'nonsense' }];
    case 'cert_not_yet_valid':
      return [{}, { validFrom: '2026-12-03T00:00:00.000Z' }];
    case 'cert_wrong_name':
      return [{}, { names: '' }, { names: 'www.shop.example, shop.example' }];
    case 'tls':
      return [{}, { code: 'ERR_SSL_WRONG_VERSION_NUMBER' }, { code: 'CERT_REVOKED' }, ...FAULTS.map((fault) => ({ code: 'x', fault }))];
    case 'invalid_answer':
      return [{}, { fault: 'http2' }];
    default:
      return [{ status: 418 }];
  }
}

describe.each(LOCALES)('in %s', (locale) => {
  test.each(ERROR_CLASSES)('%s is described in a sentence, with or without facts', (errorClass) => {
    const sentences = dataOf(errorClass).map((data) => describeFailure(locale, errorClass, data));
    for (const sentence of sentences) {
      expect(sentence).toMatch(/^[A-Z].+\.$/);
      expect(sentence).not.toMatch(/[{}]|TryError|undefined|Invalid|\bnone\b/);
    }
  });
});

test.each([
  ['cert_expired', { validTo: '2026-03-02T22:00:00.000Z' }, 'Your certificate expired on 3\u00a0Mar\u00a02026. Renew it.'],
  [
    'redirect',
    { change: 'www', location: 'https://www.shop.example/bili' },
    'Your server redirects between its names with and without www. Redirects are not followed. Use https://www.shop.example/bili as the URL.',
  ],
  [
    'cert_wrong_name',
    { names: 'www.shop.example, shop.example' },
    'Your certificate is for www.shop.example, shop.example, not for the host name in the URL. Get one for that name, or use a URL that matches the certificate.',
  ],
  ['server_error', { status: 502 }, 'Your server returned 502, a server error. Check its log.'],
  ['a class that no longer exists', {}, 'The webhook was not acknowledged, for an unknown reason.'],
])('describes %s with %j', (errorClass, data, sentence) => {
  expect(describeFailure('en', errorClass, data)).toBe(sentence);
});

test('dates are in the language of the text, and texts of the receiver are quoted unchanged', () => {
  expect(describeFailure('sw', 'cert_expired', { validTo: '2026-03-02T22:00:00.000Z' })).toBe(
    'Cheti chako kiliisha muda tarehe 3\u00a0Mac\u00a02026. Kihuishe.',
  );
  const location = "https://x.example/{status}<b>'";
  expect(describeFailure('en', 'redirect', { change: 'elsewhere', location })).toContain(location);
});
