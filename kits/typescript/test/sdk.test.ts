import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import test from 'node:test';
import { Bili, BiliError, BiliWebhookError, expressWebhook, fastifyWebhook, fetchWebhook, toSenti, Webhook } from '../src/index.ts';

const secret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';
const body =
  '{"bill":{"id":"0193aa10-0000-7000-8000-000000000001","mobile":"0712345001","amount":5000.0,"status":"FULLY_PAID","reference":"ORDER-1"}}';
const headers = {
  'content-type': 'application/json',
  'webhook-id': 'msg_0193aa11-0000-7000-8000-000000000001',
  'webhook-timestamp': '1795213486',
  'webhook-signature': 'v1,mpt1OWpdIBDwfEwiMYi069hYw2NH4lJdIg45f5xweMI=',
};
const webhook = new Webhook(secret, { now: () => 1795213486000 });
const options = { baseUrl: 'https://pay.example.com', keyId: 'key', secret: 'secret' };

test('plain HTTP is refused, except on this machine', () => {
  assert.throws(() => new Bili({ ...options, baseUrl: 'http://pay.example.com' }), BiliError);
  assert.ok(new Bili({ ...options, baseUrl: 'http://localhost:3001' }));
  assert.ok(new Bili({ ...options, baseUrl: 'http://bili:3001', allowHttp: true }));
});

test('line breaks in credentials are removed, or refused without showing them', async () => {
  const seen: string[] = [];
  const answer = (_url: unknown, init?: RequestInit) => {
    seen.push(String(new Headers(init?.headers).get('authorization')));
    return Promise.resolve(Response.json({ networks: [] }));
  };
  await new Bili({ ...options, keyId: 'key\n', secret: 's3cret\r\n', fetch: answer }).networks();
  assert.deepEqual(seen, ['ApiKey key:s3cret']);
  for (const secret of ['s3\ncret', '', 's3 cret'])
    assert.throws(
      () => new Bili({ ...options, secret }),
      (error) => error instanceof BiliError && !error.message.includes('s3'),
    );
});

test('the base address may be that of the API', async () => {
  const seen: string[] = [];
  const answer = (url: unknown) => {
    seen.push(String(url));
    return Promise.resolve(Response.json({ networks: [] }));
  };
  await new Bili({ ...options, baseUrl: 'https://pay.example.com/bili/api/v3/', fetch: answer }).networks();
  assert.deepEqual(seen, ['https://pay.example.com/bili/api/v3/networks']);
  assert.throws(() => new Bili({ ...options, baseUrl: '' }), BiliError);
});

test('the body of any other request may be an object', async () => {
  const seen: unknown[] = [];
  const answer = (_url: unknown, init?: RequestInit) => {
    seen.push(init?.body);
    return Promise.resolve(Response.json({}));
  };
  await new Bili({ ...options, fetch: answer }).request({ method: 'POST', path: '/sandbox/time', body: { delayPercent: 10 } });
  assert.deepEqual(seen, ['{"delayPercent":10}']);
});

test('a refund that is repeated has the same key and an exact amount', async () => {
  const sent: unknown[] = [];
  const keys = new Set<string | null>();
  const refunded = { id: 'r-1', bill: 'b-1', payment: 'p-1', amount: 12500.5, state: 'QUEUED', way: 'reversal', reason: 'Damaged' };
  const answer = (url: unknown, init?: RequestInit) => {
    keys.add(new Headers(init?.headers).get('idempotency-key'));
    sent.push([String(url), init?.method, init?.body]);
    const body = { ...refunded, failure: null, receipt: null, createdAt: 1795213485580, doneAt: null };
    return Promise.resolve(sent.length === 1 ? Response.json({}, { status: 503 }) : Response.json(body));
  };
  const bili = new Bili({ ...options, retryPauseMs: 1, fetch: answer });
  const refund = await bili.refund('b-1', { reason: 'Damaged', amount: '12500.50' });
  assert.deepEqual([refund.amount, refund.state, refund.doneAt], ['12500.50', 'QUEUED', null]);
  const request = ['https://pay.example.com/api/v3/bills/b-1/refunds', 'POST', '{"amount":12500.50,"reason":"Damaged"}'];
  assert.deepEqual(sent, [request, request]);
  assert.equal(keys.size, 1);
  assert.match([...keys].join(), /^[!-~]{16,255}$/);
  assert.throws(() => bili.refund('b-1', { reason: 'Damaged', amount: 0.1 }), BiliError);
});

test('a recorded payment has an exact amount and its time', async () => {
  const sent: unknown[] = [];
  const recorded = {
    id: 'p-1',
    bill: 'b-1',
    kind: 'cash',
    receipt: 'S-1',
    amount: 12500.5,
    receivedAt: 1795213485580,
    createdAt: 1795213485581,
  };
  const answer = (_url: unknown, init?: RequestInit) => {
    sent.push(init?.body);
    return Promise.resolve(Response.json(recorded));
  };
  const bili = new Bili({ ...options, fetch: answer });
  const payment = await bili.recordPayment('b-1', { amount: '12500.50', kind: 'cash', receivedAt: new Date(1795213485580), slip: 'S-1' });
  assert.deepEqual([payment.amount, payment.receivedAt.getTime()], ['12500.50', 1795213485580]);
  assert.deepEqual(sent, ['{"amount":12500.50,"kind":"cash","slip":"S-1","receivedAt":"2026-11-20T22:24:45.580Z"}']);
  assert.throws(() => bili.recordPayment('b-1', { amount: 1, kind: 'cash', receivedAt: new Date(Number.NaN) }), BiliError);
});

test('an invalid date is refused', () => {
  const bili = new Bili(options);
  const bill = { amount: 1, reference: 'A', expiresAt: new Date('tomorrow') };
  assert.throws(() => bili.createBill(bill), BiliError);
  assert.throws(() => bili.listBills({ from: new Date(Number.NaN) }), BiliError);
});

test('the secret is not shown with the client', () => {
  assert.ok(!JSON.stringify(new Bili(options)).includes('secret'));
});

test('amounts become hundredths of a shilling', () => {
  assert.equal(toSenti('12500.50'), 1250050n);
  assert.equal(toSenti('7'), 700n);
  assert.throws(() => toSenti('-1'), BiliError);
});

test('a request ends when its signal is aborted', async () => {
  const bili = new Bili({ ...options, fetch: () => Promise.reject(new Error('unreachable')) });
  const stopped = new AbortController();
  const call = bili.getBill('1', { signal: stopped.signal });
  stopped.abort(new Error('stopped'));
  await assert.rejects(call, /stopped/);
});

test('fetchWebhook answers 200, 401 and, if the handler fails, rejects', async () => {
  const bills: string[] = [];
  const handler = fetchWebhook(webhook, ({ bill }) => void bills.push(bill.reference));
  const send = (text: string) => handler(new Request('https://shop.example/bili', { method: 'POST', headers, body: text }));
  assert.equal((await send(body)).status, 200);
  assert.equal((await send(`${body} `)).status, 401);
  assert.deepEqual(bills, ['ORDER-1']);
  const failing = fetchWebhook(webhook, () => Promise.reject(new Error('no database')));
  await assert.rejects(failing(new Request('https://shop.example/bili', { method: 'POST', headers, body })), /no database/);
});

test('expressWebhook reads the raw body of a server', async () => {
  const bills: string[] = [];
  const handle = expressWebhook(webhook, ({ bill }) => void bills.push(bill.id));
  const server = createServer((request, response) => {
    const status = (code: number) => ({ end: () => response.writeHead(code).end() });
    const setHeader = (name: string, value: string) => response.setHeader(name, value);
    handle(request, { status, setHeader }, () => response.writeHead(500).end());
  }).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  const send = async (text: string) => (await fetch(`http://127.0.0.1:${address.port}`, { method: 'POST', headers, body: text })).status;
  assert.equal(await send(body), 200);
  assert.equal(await send(body.replace('5000', '9000')), 401);
  assert.equal(await send('x'.repeat(70_000)), 413);
  assert.equal(await send('x'.repeat(5_000_000)), 413);
  assert.equal(await send(body), 200);
  assert.equal(await send(''), 401);
  assert.equal(bills.length, 2);
  server.close();
  server.closeAllConnections();
});

test('fetchWebhook reads no more than 64 KiB', async () => {
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1;
      if (sent > 100) controller.close();
      else controller.enqueue(new Uint8Array(16 * 1024));
    },
  });
  const init = { method: 'POST', headers, body: endless, duplex: 'half' } as const;
  const answer = await fetchWebhook(webhook, () => undefined)(new Request('http://shop.test/bili', init));
  assert.equal(answer.status, 413);
  assert.ok(sent < 10);
});

test('fetchWebhook reports a body that was read before', async () => {
  const handle = fetchWebhook(webhook, () => undefined);
  const used = new Request('http://shop.test/bili', { method: 'POST', headers, body });
  await used.text();
  const locked = new Request('http://shop.test/bili', { method: 'POST', headers, body });
  locked.body?.getReader();
  for (const request of [used, locked])
    await assert.rejects(handle(request), (error) => error instanceof BiliWebhookError && error.reason === 'body_not_raw');
});

test('expressWebhook reports a body that was parsed before', async () => {
  const errors: unknown[] = [];
  const statuses: number[] = [];
  const stream = (parsed: unknown) => ({
    headers,
    body: parsed,
    [Symbol.asyncIterator]: () => ReadableStream.from<Uint8Array>([]).values(),
  });
  const response = { setHeader: () => undefined, status: (code: number) => ({ end: () => statuses.push(code) }) };
  const handle = expressWebhook(webhook, () => undefined);
  await handle(stream(JSON.parse(body)), response, (error) => void errors.push(error));
  assert.ok(errors[0] instanceof BiliWebhookError && errors[0].reason === 'body_not_raw');
  await handle(stream(Buffer.from(body)), response, (error) => void errors.push(error));
  await handle(stream(Buffer.alloc(70_000)), response, (error) => void errors.push(error));
  assert.deepEqual(statuses, [200, 413]);
});

test('fastifyWebhook registers a parser for raw bodies and its route', async () => {
  const statuses: number[] = [];
  const parsed: unknown[] = [];
  const routes: Promise<unknown>[] = [];
  const reply = { code: (status: number) => ({ send: () => statuses.push(status) }) };
  const plugin = fastifyWebhook('/bili', webhook, () => undefined);
  await plugin({
    removeAllContentTypeParsers: () => undefined,
    addContentTypeParser: (type, { parseAs }, parser) => {
      assert.deepEqual([type, parseAs], ['*', 'buffer']);
      parser(null, Buffer.from(body), (_error, raw) => parsed.push(raw));
    },
    post: (path, handle) => {
      assert.equal(path, '/bili');
      const ask = (sent: unknown) => handle({ headers, body: sent }, reply);
      routes.push(
        ask(parsed[0])
          .then(() => ask(Buffer.from('{}')))
          .then(() => ask(undefined))
          .then(() => ask(Buffer.alloc(70_000))),
      );
    },
  });
  await Promise.all(routes);
  assert.deepEqual(statuses, [200, 401, 401, 413]);
});
