import { beforeAll, describe, expect, test } from 'vitest';
import { setEndpoint } from '@/lib/gateway/webhooks/endpoint/set-endpoint';
import type { KeyPair } from '@/lib/identity/keys/rules';
import { updateProfile } from '@/lib/identity/merchants/store';
import { deliverAll } from '@/testing/data/deliveries';
import { changeStatus, pay } from '@/testing/data/paying';
import { testReceiver } from '@/testing/fakes/receiver';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { testWebProcess } from '@/testing/web-process';

const runtime = testRuntime();
const receiver = testReceiver();

interface Feed {
  readonly events: readonly { readonly id: string; readonly date: number; readonly body: unknown }[];
  readonly cursor: string;
  readonly more: boolean;
}

/** Tests the event feed on the built product: answered directly by the listener, and through Next.js. */
describe('the event feed', () => {
  const open = testWebProcess(() => runtime().settings.DATABASE_URL);
  let merchant: TestMerchant;
  let key: KeyPair;
  beforeAll(async () => {
    merchant = await makeMerchant(runtime());
    key = await merchant.key('sandbox');
  });

  async function call(
    query: string,
    { method = 'GET', pair = key, at = open().sandbox }: { method?: string; pair?: KeyPair; at?: string } = {},
  ) {
    const response = await fetch(`${at}/api/v3/events${query}`, {
      method,
      headers: { authorization: `ApiKey ${pair.id}:${pair.secret}` },
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  async function read(query: string, pair?: KeyPair): Promise<Feed> {
    const { status, text } = await call(query, pair && { pair });
    if (status !== 200) throw new Error(text);
    return JSON.parse(text);
  }

  const error = (status: number, message: string) => ({ status, text: JSON.stringify({ error: message }) });

  test('contains exactly the bytes of the webhook, with the same id', async () => {
    const shop = await makeMerchant(runtime(), 'Both');
    const pair = await shop.key('sandbox');
    expect((await call('', { pair })).text).toBe('{"events":[],"cursor":"0","more":false}');
    await setEndpoint(runtime(), shop.operator('sandbox'), receiver.url());
    const billId = await makeBill(runtime(), shop, { amount: 5000, reference: 'ORDER "1" ✓' });
    const before = Date.now();
    await pay(runtime(), billId, 500000n);
    await deliverAll(runtime());
    const [webhook] = receiver.received.splice(0);
    const { status, text, headers } = await call('', { pair });
    const date = Number(/"date":(\d+)/.exec(text)?.[1]);
    expect(status).toBe(200);
    expect(webhook?.body).toContain('"amount":5000.0,');
    expect(text).toBe(
      `{"events":[{"id":"${webhook?.headers['webhook-id']}","date":${date},"body":${webhook?.body}}],"cursor":"1","more":false}`,
    );
    expect(date).toBeGreaterThanOrEqual(before);
    expect(date).toBeLessThanOrEqual(Date.now());
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect((await call('?after=1', { pair })).text).toBe('{"events":[],"cursor":"1","more":false}');
  });

  test('works without an endpoint, and in pages', async () => {
    const shop = await makeMerchant(runtime(), 'Behind a wall');
    const pair = await shop.key('sandbox');
    await changeStatus(runtime(), await makeBill(runtime(), shop), 5);
    const all = await read('', pair);
    expect(all).toMatchObject({ cursor: '5', more: false });
    expect(all.events).toHaveLength(5);
    const first = await read('?limit=2', pair);
    expect(first).toEqual({ events: all.events.slice(0, 2), cursor: '2', more: true });
    expect(await read(`?limit=3&after=${first.cursor}`, pair)).toEqual({ events: all.events.slice(2), cursor: '5', more: false });
    expect(await read('?after=0', pair)).toEqual(all);
  });

  test('has 100 events on a page by default', async () => {
    const shop = await makeMerchant(runtime(), 'Busy');
    const pair = await shop.key('sandbox');
    await changeStatus(runtime(), await makeBill(runtime(), shop), 101);
    expect((await read('', pair)).events).toHaveLength(100);
    expect((await read('?limit=500', pair)).events).toHaveLength(101);
  });

  test.each(['?limit=1&other=x', '?limit=1&limit=2', '?limit=1&after=0&after=x', '?limit=01'])('%s is accepted', async (query) => {
    expect((await call(query)).status).toBe(200);
  });

  test.each(['', '-1', '1.5', ' 1', '01', 'x', '1e3', '%zz', '99999999999999999999', '1%00', '7'])(
    'after=%s is answered with 400',
    async (after) => {
      expect(await call(`?after=${after}`)).toMatchObject(error(400, 'after must be a cursor that an earlier answer gave'));
    },
  );

  test.each(['', '0', '-1', '501', '1.5', 'x', '1e2', '99999999999999999999'])('limit=%s is answered with 400', async (limit) => {
    expect(await call(`?limit=${limit}`)).toMatchObject(error(400, 'limit must be a whole number from 1 to 500'));
  });

  test('reports the first problem in the order credentials, after, limit', async () => {
    const wrong = { pair: { ...key, secret: 'x' } };
    expect(await call('?after=x&limit=x', wrong)).toMatchObject(error(401, 'Invalid api key or api secret'));
    expect(await call('?after=x&limit=x')).toMatchObject(error(400, 'after must be a cursor that an earlier answer gave'));
    expect(await call('?after=x', { ...wrong, method: 'POST' })).toMatchObject(error(405, 'Method POST is not allowed'));
  });

  test('HEAD answers without a body; other methods are answered with 405', async () => {
    expect(await call('', { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
    const refused = await call('', { method: 'DELETE' });
    expect(refused).toMatchObject(error(405, 'Method DELETE is not allowed'));
    expect(refused.headers.get('allow')).toBe('GET, HEAD');
  });

  test("does not contain other merchants' events or those of the other environment", async () => {
    const shop = await makeMerchant(runtime(), 'Elsewhere');
    await changeStatus(runtime(), await makeBill(runtime(), shop), 2);
    const [own, live] = [await shop.key('sandbox'), await shop.key('live')];
    const empty = '{"events":[],"cursor":"0","more":false}';
    expect((await call('')).text).toBe(empty);
    expect((await call('', { pair: live, at: open().live })).text).toBe(empty);
    expect(await call('', { pair: own, at: open().live })).toMatchObject(error(401, 'Invalid api key or api secret'));
    expect((await read('', own)).events).toHaveLength(2);
  });

  test('a suspended merchant can read it, a closed one cannot', async () => {
    const shop = await makeMerchant(runtime(), 'Closing');
    const pair = await shop.key('sandbox');
    for (const [status, answer] of [
      ['suspended', 200],
      ['closed', 404],
    ] as const) {
      await updateProfile(runtime().db, shop.scope('sandbox'), { status });
      await expect.poll(async () => (await call('', { pair })).status, { timeout: 2_000 }).toBe(answer);
    }
  });
});
