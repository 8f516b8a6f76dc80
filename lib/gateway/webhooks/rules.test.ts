import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { readSettings } from '@/lib/platform/config/settings';
import { DAY_MS } from '@/lib/platform/core/clock';
import { formatSecret, messageId, nextAttemptTime, parseWebhookUrl, receiverRules, signatureHeaders, WEBHOOK_RETRY_MS } from './rules';

const secret = formatSecret(new Uint8Array(32).fill(9));

test('an independent library accepts the signature, but not with another body or secret', () => {
  const body = Buffer.from('{"bill":{"amount":5000.0}}');
  const headers = signatureHeaders([secret], { id: messageId('x'), at: new Date(), body });
  const webhook = new Webhook(secret);
  expect(webhook.verify(body.toString(), headers)).toEqual({ bill: { amount: 5000 } });
  expect(() => webhook.verify('{"bill":{"amount":5000}}', headers)).toThrow();
  expect(() => new Webhook(formatSecret(new Uint8Array(32))).verify(body.toString(), headers)).toThrow();
});

test('retry delays grow and last five to eight days in total, and jitter never shortens them', () => {
  const now = new Date(0);
  const failed = { now, chance: 0, retryAfter: null, othersAccepted: true };
  const span = WEBHOOK_RETRY_MS.reduce((sum, pause) => sum + pause, 0);
  expect(span).toBeGreaterThan(5 * DAY_MS);
  expect(span).toBeLessThan(8 * DAY_MS);
  for (const [index, pause] of WEBHOOK_RETRY_MS.entries()) {
    expect(pause).toBeGreaterThanOrEqual(WEBHOOK_RETRY_MS[index - 1] ?? 0);
    expect(nextAttemptTime({ ...failed, failures: index + 1 })?.getTime()).toBe(pause);
    expect(nextAttemptTime({ ...failed, failures: index + 1, chance: 1 })?.getTime()).toBeCloseTo(pause * 1.1);
  }
  expect(nextAttemptTime({ ...failed, failures: 4, delayMaxMs: 15_000 })).toEqual(new Date(15_000));
  expect(nextAttemptTime({ ...failed, failures: 4, delayMaxMs: 15_000, retryAfter: new Date(60_000) })).toEqual(new Date(60_000));
  expect(nextAttemptTime({ ...failed, failures: WEBHOOK_RETRY_MS.length + 1 })).toBeNull();
  expect(nextAttemptTime({ ...failed, failures: WEBHOOK_RETRY_MS.length + 1, othersAccepted: false })).toEqual(new Date(DAY_MS));
});

const settings = (env: Record<string, string>) => {
  const read = readSettings(env);
  if (!read.ok) throw new Error(read.error.join());
  return read.value;
};
const here = settings({});
const deployed = settings({ LIVE_BASE_URL: 'https://pay.example', SANDBOX_BASE_URL: 'https://sandbox.pay.example' });
const halfDeployed = settings({ LIVE_BASE_URL: 'https://pay.example' });
/** Loopback base URLs, but the server listens on all interfaces. */
const exposed = settings({ HOST: '0.0.0.0' });
const inside = settings({ WEBHOOK_ALLOWED_NETWORKS: '10.1.0.0/16, fd00:1::/32', LIVE_BASE_URL: 'https://pay.example' });

test.each([
  ['https://shop.example/bili', 'live', deployed, 'https://shop.example/bili'],
  ['https://shop.example:8443', 'live', deployed, 'https://shop.example:8443/'],
  ['https://shop.example:9000', 'sandbox', deployed, 'https://shop.example:9000/'],
  ['http://127.0.0.1:9000/x?y=1', 'sandbox', here, 'http://127.0.0.1:9000/x?y=1'],
  ['http://localhost:9000', 'sandbox', here, 'http://localhost:9000/'],
  ['http://shop.example', 'sandbox', here, 'http://shop.example/'],
  ['http://10.1.2.3:8080', 'live', inside, 'http://10.1.2.3:8080/'],
  ['http://[fd00:1::5]', 'sandbox', inside, 'http://[fd00:1::5]/'],
  ['http://shop.internal:8080', 'live', inside, 'http://shop.internal:8080/'],
] as const)('%s is allowed in %s', (url, environment, where, href) => {
  expect(parseWebhookUrl(url, receiverRules(where, environment))).toEqual({ ok: true, value: href });
});

test.each([
  ['shop', 'sandbox', here, 'not a URL'],
  ['ftp://shop.example', 'sandbox', here, 'must start with https://'],
  ['http://127.0.0.1:5432', 'sandbox', exposed, 'must be on the public internet'],
  ['http://shop.example', 'live', here, 'must start with https://'],
  ['http://shop.example', 'sandbox', deployed, 'must start with https://'],
  ['http://8.8.8.8', 'sandbox', inside, 'must start with https://'],
  ['https://8.8.8.8:22', 'live', inside, 'must use port 443 or 8443'],
  ['https://shop.example:22', 'live', deployed, 'must use port 443 or 8443'],
  ['https://127.0.0.1', 'live', here, 'must be on the public internet'],
  ['http://localhost:9000', 'sandbox', halfDeployed, 'must be on the public internet'],
  ['https://10.2.0.1', 'sandbox', inside, 'must be on the public internet'],
  ['https://user:pass@shop.example', 'live', deployed, 'user name or password'],
  ['https://shop.example/#x', 'live', deployed, '# part'],
] as const)('%s is refused in %s', (url, environment, where, reason) => {
  const parsed = parseWebhookUrl(url, receiverRules(where, environment));
  expect(parsed.ok ? '' : parsed.error).toContain(reason);
});
