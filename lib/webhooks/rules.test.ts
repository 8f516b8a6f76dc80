import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { DAY_MS } from '@/lib/core/clock';
import { formatSecret, messageId, nextTry, parseWebhookUrl, RETRY_MS, signatureHeaders } from './rules';

const secret = formatSecret(new Uint8Array(32).fill(9));

test('an independent library accepts the signature, and no other body', () => {
  const body = Buffer.from('{"bill":{"amount":5000.0}}');
  const headers = signatureHeaders(secret, { id: messageId('x'), at: new Date(), body });
  const webhook = new Webhook(secret);
  expect(webhook.verify(body.toString(), headers)).toEqual({ bill: { amount: 5000 } });
  expect(() => webhook.verify('{"bill":{"amount":5000}}', headers)).toThrow();
  expect(() => new Webhook(formatSecret(new Uint8Array(32))).verify(body.toString(), headers)).toThrow();
});

test('retries grow over at least five days, and jitter only adds', () => {
  const now = new Date(0);
  const span = RETRY_MS.reduce((sum, pause) => sum + pause, 0);
  expect(span).toBeGreaterThan(5 * DAY_MS);
  expect(span).toBeLessThan(8 * DAY_MS);
  for (const [index, pause] of RETRY_MS.entries()) {
    expect(pause).toBeGreaterThanOrEqual(RETRY_MS[index - 1] ?? 0);
    expect(nextTry(index + 1, now, 0)?.getTime()).toBe(pause);
    expect(nextTry(index + 1, now, 1)?.getTime()).toBeCloseTo(pause * 1.1);
  }
  expect(nextTry(RETRY_MS.length + 1, now, 0)).toBeNull();
});

test.each([
  ['https://shop.example/bili', 'live', 'https://shop.example/bili'],
  ['http://127.0.0.1:9000/x?y=1', 'sandbox', 'http://127.0.0.1:9000/x?y=1'],
] as const)('%s is an address in %s', (url, environment, href) => {
  expect(parseWebhookUrl(url, environment)).toEqual({ ok: true, value: href });
});

test.each([
  ['shop', 'sandbox', 'not an address'],
  ['ftp://shop.example', 'sandbox', 'starts with https://'],
  ['http://shop.example', 'live', 'must start with https://'],
  ['https://user:pass@shop.example', 'live', 'user name or password'],
  ['https://shop.example/#x', 'live', '# part'],
] as const)('%s is refused in %s', (url, environment, reason) => {
  const parsed = parseWebhookUrl(url, environment);
  expect(parsed.ok ? '' : parsed.error).toContain(reason);
});
