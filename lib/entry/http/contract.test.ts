import { request as nodeRequest } from 'node:http';
import { connect } from 'node:net';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { NO_INFO_JSON } from '@/lib/gateway/bills/bill-info';
import { revokeKey } from '@/lib/identity/keys/change-keys';
import type { KeyPair } from '@/lib/identity/keys/rules';
import { updateProfile } from '@/lib/identity/merchants/store';
import { isUuid } from '@/lib/platform/core/ids';
import { makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { testWebProcess } from '@/testing/web-process';
import { ERRORS } from './errors';

const runtime = testRuntime();

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: Record<string, unknown>;
}

/** Tests the whole API contract on the built product: answered directly by the listener, and through Next.js. */
describe('the API', () => {
  const open = testWebProcess(() => runtime().settings.DATABASE_URL);
  let merchant: TestMerchant;
  let key: KeyPair;
  beforeAll(async () => {
    merchant = await makeMerchant(runtime());
    key = await merchant.key('sandbox');
  });

  const authorization = (pair: KeyPair = key) => ({ authorization: `ApiKey ${pair.id}:${pair.secret}` });

  async function call(
    method: string,
    path: string,
    init: { body?: string | Uint8Array<ArrayBuffer>; headers?: Record<string, string>; at?: 'live' | 'sandbox' } = {},
  ): Promise<Answer> {
    const { body = null, headers = authorization(), at = 'sandbox' } = init;
    // As bytes, because fetch adds a Content-Type to a string.
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
    const response = await fetch(open()[at] + path, { method, headers, body: bytes, redirect: 'manual' });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: text.startsWith('{') ? JSON.parse(text) : {} };
  }

  const create = (body: unknown, headers: Record<string, string> = {}) =>
    call('POST', '/api/v3/bills/create', {
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...authorization(), ...headers },
    });

  const error = (status: number, message: string) => ({ status, text: JSON.stringify({ error: message }) });

  describe('creating a bill', () => {
    test('answers 200 with exactly the seven members', async () => {
      const before = Date.now();
      const { status, headers, text, json } = await create({
        amount: 5000,
        reference: ' ORDER-1 ',
        mobile: '+255 712-345-678',
        extra: { ignored: true },
      });
      expect(status).toBe(200);
      expect(isUuid(String(json.id))).toBe(true);
      expect(text).toBe(
        `{"id":"${json.id}","mobile":"0712345678","amount":5000.0,"status":"NOT_PAID","reference":" ORDER-1 ","webPayUrl":"http://localhost:${new URL(open().sandbox).port}/pay?bill=${json.id}","date":${json.date}}`,
      );
      expect(Number(json.date)).toBeGreaterThanOrEqual(before);
      expect(Number(json.date)).toBeLessThanOrEqual(Date.now());
      expect(headers.get('content-type')).toMatch(/^application\/json/);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-request-id')).toMatch(/^[\w-]{8,}$/);
    });

    test.each([
      ['5000', '5000.0'],
      ['5000.5', '5000.5'],
      ['5000.25', '5000.25'],
      ['5000.250', '5000.25'],
      ['5e3', '5000.0'],
      ['0.01', '0.01'],
      ['1000000000', '1000000000.0'],
      ['999999999.99', '999999999.99'],
    ])('amount %s is answered as %s', async (amount, shown) => {
      const { status, text } = await create(`{"amount":${amount},"reference":"A"}`);
      expect(status).toBe(200);
      expect(text).toContain(`"amount":${shown},`);
    });

    test.each(['absent', null, ''])('mobile %j counts as omitted and is null in the answer', async (mobile) => {
      const { status, text } = await create(mobile === 'absent' ? { amount: 1, reference: 'A' } : { amount: 1, reference: 'A', mobile });
      expect(status).toBe(200);
      expect(text).toContain('"mobile":null');
    });

    test.each([
      'ORDER-1',
      'agizo la 3 — ✓ 🧾',
      '"quotes" and \\back\\slashes',
      '<script>alert(1)</script>',
      '‮right to left',
      `${'x'.repeat(255)}`,
      '🧾'.repeat(255),
    ])('reference %j is returned unchanged, and may be used twice', async (reference) => {
      const made = await create({ amount: 1, reference });
      expect(made.json.reference).toBe(reference);
      expect((await call('GET', `/api/v3/bills/${made.json.id}`)).json.reference).toBe(reference);
      expect((await create({ amount: 1, reference })).status).toBe(200);
    });

    test.each([
      ['{"reference":"A"}', 'amount is required'],
      ['{"amount":null,"reference":"A"}', 'amount is required'],
      ['{"amount":"5000","reference":"A"}', 'amount must be a number'],
      ['{"amount":true,"reference":"A"}', 'amount must be a number'],
      ['{"amount":[5000],"reference":"A"}', 'amount must be a number'],
      ['{"amount":0,"reference":"A"}', 'amount must be greater than 0'],
      ['{"amount":-0.001,"reference":"A"}', 'amount must be greater than 0'],
      ['{"amount":-1e400,"reference":"A"}', 'amount must be greater than 0'],
      ['{"amount":5000.001,"reference":"A"}', 'amount must have at most 2 decimal places'],
      ['{"amount":5000.250000000000000001,"reference":"A"}', 'amount must have at most 2 decimal places'],
      ['{"amount":1e-3,"reference":"A"}', 'amount must have at most 2 decimal places'],
      ['{"amount":1e-400,"reference":"A"}', 'amount must have at most 2 decimal places'],
      ['{"amount":5000.0000000000000000001,"reference":"A"}', 'amount must have at most 2 decimal places'],
      ['{"amount":1000000000.001,"reference":"A"}', 'amount must have at most 2 decimal places'],
      ['{"amount":1000000000.01,"reference":"A"}', 'amount must not exceed 1000000000'],
      ['{"amount":1e400,"reference":"A"}', 'amount must not exceed 1000000000'],
      ['{"amount":1}', 'reference is required'],
      ['{"amount":1,"reference":null}', 'reference is required'],
      ['{"amount":1,"reference":""}', 'reference is required'],
      ['{"amount":1,"reference":" \\t\\n"}', 'reference is required'],
      ['{"amount":1,"reference":7}', 'reference must be a string'],
      [`{"amount":1,"reference":"${'x'.repeat(256)}"}`, 'reference must be at most 255 characters'],
      ['{"amount":1,"reference":"a\\u0000b"}', 'reference must not contain control characters'],
      ['{"amount":1,"reference":"a\\nb"}', 'reference must not contain control characters'],
      ['{"amount":1,"reference":"a\\u007fb"}', 'reference must not contain control characters'],
      ['{"amount":1,"reference":"a\\u0085b"}', 'reference must not contain control characters'],
      ['{"amount":1,"reference":"a\\ud800b"}', 'reference must not contain control characters'],
      ['{"amount":1,"reference":"A","mobile":712345678}', 'mobile must be a string'],
      ['{"amount":1,"reference":"A","mobile":"0812345678"}', 'mobile must be a Tanzanian mobile number, for example 0712345678'],
      ['{"amount":1,"reference":"A","mobile":" "}', 'mobile must be a Tanzanian mobile number, for example 0712345678'],
      ['{"amount":"x","reference":7,"mobile":7}', 'amount must be a number'],
      ['{"amount":1,"reference":7,"mobile":7}', 'reference must be a string'],
      ['', 'Request body must be valid JSON'],
      ['{"amount":1', 'Request body must be valid JSON'],
      ['{"amount":NaN}', 'Request body must be valid JSON'],
      ['[]', 'Request body must be a JSON object'],
      ['null', 'Request body must be a JSON object'],
      ['5000', 'Request body must be a JSON object'],
    ])('body %s is answered with 400', async (body, message) => {
      expect(await create(body)).toMatchObject(error(400, message));
    });

    test.each([
      ['numbers of sixty thousand digits', `{"amount":1${'0'.repeat(60_000)}1,"reference":"A"}`, 'amount must not exceed 1000000000'],
      [
        'fractions of sixty thousand digits',
        `{"amount":1.${'0'.repeat(60_000)}1,"reference":"A"}`,
        'amount must have at most 2 decimal places',
      ],
      [
        'arrays in arrays in arrays',
        `{"amount":1.5,"reference":"A","z":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
        'Request body must be valid JSON',
      ],
    ])('%s are answered with 400', async (_name, body, message) => {
      expect(await create(body)).toMatchObject(error(400, message));
    });

    test('invalid UTF-8 is refused, not replaced', async () => {
      const body = new Uint8Array(Buffer.concat([Buffer.from('{"amount":1,"reference":"'), Buffer.of(0xc3, 0x28), Buffer.from('"}')]));
      const answer = await call('POST', '/api/v3/bills/create', {
        body,
        headers: { ...authorization(), 'content-type': 'application/json' },
      });
      expect(answer).toMatchObject(error(400, 'Request body must be valid JSON'));
    });

    test('a body over 64 KiB is answered with 413, with or without Content-Length; one just below is accepted', async () => {
      const big = `{"amount":1,"reference":"A","pad":"${'x'.repeat(64 * 1024)}"}`;
      expect(await create(big)).toMatchObject(error(413, 'Request body is too large'));
      expect(await chunked(open().sandbox, big, authorization())).toEqual({ status: 413, text: '{"error":"Request body is too large"}' });
      expect((await create(`{"amount":1,"reference":"A","pad":"${'x'.repeat(64 * 1024 - 40)}"}`)).status).toBe(200);
    });

    test.each(['text/plain', 'application/xml', 'application/jsonx', 'application/x-www-form-urlencoded'])(
      'Content-Type %s is answered with 415',
      async (type) => {
        expect(await create({ amount: 1, reference: 'A' }, { 'content-type': type })).toMatchObject(
          error(415, 'Content-Type must be application/json'),
        );
      },
    );

    test('a compressed body is answered with 415', async () => {
      const answer = await create({ amount: 1, reference: 'A' }, { 'content-encoding': 'gzip' });
      expect(answer).toMatchObject(error(415, 'Content-Encoding is not supported: send the body as it is'));
    });

    test.each(['application/json', 'Application/JSON; charset=utf-8', ' application/json '])(
      'Content-Type %s is accepted',
      async (type) => {
        expect((await create({ amount: 1, reference: 'A' }, { 'content-type': type })).status).toBe(200);
      },
    );

    test('a missing Content-Type is accepted', async () => {
      const body = new TextEncoder().encode('{"amount":1,"reference":"A"}');
      expect((await call('POST', '/api/v3/bills/create', { body: new Uint8Array(body) })).status).toBe(200);
    });

    test('any JSON is answered with 200 or one of the documented errors', async () => {
      const listed = new Set(Object.values(ERRORS).map(({ message }) => message.replace('{}', '1000000000')));
      const member = fc.oneof(
        fc.jsonValue(),
        fc.double(),
        fc.integer(),
        fc.string({ unit: 'binary' }),
        fc.constantFrom('0712345001', null),
      );
      const customer = fc.oneof(member, fc.record({ name: member }));
      const members = { amount: member, reference: member, mobile: member, description: member, customer, dueAt: member };
      const body = fc.oneof(fc.jsonValue(), fc.record(members, { requiredKeys: [] }));
      await fc.assert(
        fc.asyncProperty(body, async (value) => {
          const { status, json } = await create(JSON.stringify(value));
          if (status === 200) expect(json.reference).toBe(Reflect.get(Object(value), 'reference'));
          else {
            expect(status).toBe(400);
            expect(listed).toContain(json.error);
          }
        }),
        { numRuns: 150 },
      );
    });

    test('any amount within the limits is returned as the same number, with a decimal point', async () => {
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 100_000_000_000 }), async (senti) => {
          const { status, json, text } = await create(`{"amount":${senti / 100},"reference":"A"}`);
          expect(status).toBe(200);
          expect(json.amount).toBe(senti / 100);
          expect(text).toMatch(/"amount":\d+\.\d/);
        }),
        { numRuns: 40 },
      );
    });
  });

  describe('the optional members of a new bill', () => {
    const dueAt = Date.UTC(2026, 10, 30, 9);

    test('are returned when the bill is read, and the answer to the creation keeps its seven members', async () => {
      const made = await create({
        amount: 1,
        reference: 'A',
        description: ' Ada ya muhula wa 1 ',
        customer: { name: 'Asha "A" Juma', id: 7 },
        dueAt,
      });
      expect(made.status).toBe(200);
      expect(Object.keys(made.json)).toEqual(['id', 'mobile', 'amount', 'status', 'reference', 'webPayUrl', 'date']);
      expect(made.headers.get('bili-ignored')).toBeNull();
      expect((await call('GET', `/api/v3/bills/${made.json.id}`)).json).toMatchObject({
        description: 'Ada ya muhula wa 1',
        customer: { name: 'Asha "A" Juma', email: null },
        // The last millisecond of 30 November in East Africa.
        dueAt: Date.UTC(2026, 10, 30, 21) - 1,
      });
    });

    test.each([
      [{ description: 7 }, 'description'],
      [{ description: 'x'.repeat(256) }, 'description'],
      [{ description: 'a\nb' }, 'description'],
      [{ description: 'a\ud800b' }, 'description'],
      [{ customer: 'Asha' }, 'customer'],
      [{ customer: ['Asha'] }, 'customer'],
      [{ customer: { name: 7 } }, 'customer.name'],
      [{ customer: { name: 'x'.repeat(101) } }, 'customer.name'],
      [{ dueAt: '2026-11-30' }, 'dueAt'],
      [{ dueAt: dueAt / 1000 }, 'dueAt'],
      [{ dueAt: dueAt + 0.5 }, 'dueAt'],
      [{ dueAt: 1e300 }, 'dueAt'],
      [{ description: {}, customer: 1, dueAt: true }, 'description, customer, dueAt'],
    ])('%j are ignored, and Bili-Ignored names them', async (members, names) => {
      const { status, headers, json } = await create({ amount: 1, reference: 'A', ...members });
      expect(status).toBe(200);
      expect(headers.get('bili-ignored')).toBe(names);
      const { text } = await call('GET', `/api/v3/bills/${json.id}`);
      expect(text.endsWith(`,${NO_INFO_JSON}}`)).toBe(true);
    });

    test.each([{ description: null, customer: null, dueAt: null }, { description: ' ', customer: { name: '' } }, { customer: {} }])(
      '%j count as omitted',
      async (members) => {
        const { status, headers } = await create({ amount: 1, reference: 'A', ...members });
        expect(status).toBe(200);
        expect(headers.get('bili-ignored')).toBeNull();
      },
    );

    test('are not compared when an Idempotency-Key is used again', async () => {
      const keyed = { 'idempotency-key': 'with-info' };
      const first = await create({ amount: 1, reference: 'A', description: 'first' }, keyed);
      const second = await create({ amount: 1, reference: 'A', description: 'second', dueAt: 'soon' }, keyed);
      expect(second).toMatchObject({ status: 200, text: first.text });
      expect(second.headers.get('idempotency-replayed')).toBe('true');
      expect((await call('GET', `/api/v3/bills/${first.json.id}`)).json.description).toBe('first');
    });
  });

  describe('reading a bill', () => {
    test('answers the seven members and the payment details', async () => {
      const made = await create({ amount: 5000.5, reference: 'R', mobile: '0712345678' });
      const read = await call('GET', `/api/v3/bills/${made.json.id}`);
      expect(read.status).toBe(200);
      expect(read.text).toBe(
        `${made.text.slice(0, -1)},"paidAmount":0.0,"remainingAmount":5000.5,"paidAt":null,"closedAt":null,"reversedAmount":0.0,"lastAttempt":{"state":"PENDING","reason":null,"at":${made.json.date}},${NO_INFO_JSON}}`,
      );
      expect((await call('GET', `/api/v3/bills/${String(made.json.id).toUpperCase()}`)).json.id).toBe(made.json.id);
    });

    test('has no last attempt if no prompt was requested', async () => {
      const made = await create({ amount: 1, reference: 'R' });
      const { text } = await call('GET', `/api/v3/bills/${made.json.id}`);
      expect(text.endsWith(`,"paidAt":null,"closedAt":null,"reversedAmount":0.0,"lastAttempt":null,${NO_INFO_JSON}}`)).toBe(true);
    });

    test.each([
      'nope',
      '018f2b1c-0000-7000-8000-000000000000',
      '%22quoted%22',
      "x'%20OR%20'1'='1",
      '{018f2b1c-0000-7000-8000-000000000000}',
    ])('id %s is answered with 404, and the message repeats it', async (id) => {
      expect(await call('GET', `/api/v3/bills/${id}`)).toMatchObject({
        status: 404,
        json: { error: `Bill with id ${decodeURIComponent(id)} not found` },
      });
    });

    test.each([
      ['a\\b', 'a\\b'],
      ['%1;<x', '%1;<x'],
      ['%FF', '%FF'],
      ['%ZZ', '%ZZ'],
      ['a%5Cb', 'a\\b'],
      // Routers differ in whether they decode and normalise a path before they match it.
      ['%63reate', 'create'],
      ['%6eope', 'nope'],
      ['nothing/../nope', 'nope'],
    ])('id %s, as no browser sends it, is answered with 404, and the message repeats it', async (id, shown) => {
      const answer = await overSocket(
        Number(new URL(open().sandbox).port),
        `GET /api/v3/bills/${id} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ApiKey ${key.id}:${key.secret}\r\nConnection: close\r\n\r\n`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 404 /);
      expect(answer).toContain(JSON.stringify({ error: `Bill with id ${shown} not found` }));
      expect(answer).toMatch(/\r\nx-request-id: [\w-]{36}\r\n/i);
    });

    test('a path with an empty segment is answered with 404', async () => {
      expect(await call('GET', '/api/v3//bills/x')).toMatchObject(error(404, 'Not found'));
    });

    test("another merchant's bill and a bill of the other environment are not found", async () => {
      const made = await create({ amount: 1, reference: 'secret' });
      const other = await (await makeMerchant(runtime(), 'Other')).key('sandbox');
      const live = await merchant.key('live');
      const missing = error(404, `Bill with id ${made.json.id} not found`);
      expect(await call('GET', `/api/v3/bills/${made.json.id}`, { headers: authorization(other) })).toMatchObject(missing);
      expect(await call('GET', `/api/v3/bills/${made.json.id}`, { headers: authorization(live), at: 'live' })).toMatchObject(missing);
    });

    test('HEAD answers like GET, without a body', async () => {
      const made = await create({ amount: 1, reference: 'A' });
      const head = await call('HEAD', `/api/v3/bills/${made.json.id}`);
      expect(head).toMatchObject({ status: 200, text: '' });
      expect(head.headers.get('content-type')).toMatch(/json/);
    });
  });

  describe('credentials', () => {
    const refused = error(401, 'Invalid api key or api secret');

    test('get the same answer whatever is wrong with them', async () => {
      const revoked = await merchant.key('sandbox');
      await revokeKey(runtime(), merchant.operator('sandbox'), revoked.id);
      const expired = await merchant.key('sandbox');
      await runtime().db.query({ text: "UPDATE api_key SET expires_at = now() - interval '1 second' WHERE id = $1" }, [expired.id]);
      const live = await merchant.key('live');
      const stranger = await (await makeMerchant(runtime(), 'Stranger')).key('sandbox');
      const wrong: Record<string, string>[] = [
        {},
        { authorization: '' },
        { authorization: 'ApiKey' },
        { authorization: `Bearer ${key.id}:${key.secret}` },
        { authorization: `ApiKey ${key.id}${key.secret}` },
        { authorization: `ApiKey ${key.id}:` },
        { authorization: `ApiKey ${key.id}:${key.secret}x` },
        { authorization: `ApiKey ${key.id}:${stranger.secret}` },
        { authorization: `ApiKey unknown:${key.secret}` },
        { authorization: `ApiKey ${key.id.slice(0, -1)}${key.id.endsWith('0') ? '1' : '0'}:${key.secret}` },
        authorization(revoked),
        authorization(expired),
        authorization(live),
      ];
      for (const headers of wrong) {
        const answer = await call('GET', '/api/v3/bills/x', { headers });
        expect(answer, JSON.stringify(headers)).toMatchObject(refused);
        expect(answer.headers.get('www-authenticate')).toBe('ApiKey');
      }
      expect(await call('GET', '/api/v3/bills/x', { headers: authorization(key), at: 'live' })).toMatchObject(refused);
    });

    test.each(['ApiKey', 'apikey', 'APIKEY'])('the scheme %s is accepted', async (scheme) => {
      expect((await call('GET', '/api/v3/bills/x', { headers: { authorization: `${scheme} ${key.id}:${key.secret}` } })).status).toBe(404);
    });

    test('a revoked key is refused within a second', async () => {
      const doomed = await merchant.key('sandbox');
      expect((await call('GET', '/api/v3/bills/x', { headers: authorization(doomed) })).status).toBe(404);
      await revokeKey(runtime(), merchant.operator('sandbox'), doomed.id);
      await expect
        .poll(async () => (await call('GET', '/api/v3/bills/x', { headers: authorization(doomed) })).status, {
          timeout: 1_000,
          interval: 50,
        })
        .toBe(401);
    });

    test('of a pending or closed merchant are answered with 404; a suspended merchant can still read', async () => {
      const shop = await makeMerchant(runtime(), 'Closing');
      const pair = await shop.key('sandbox');
      const body = '{"amount":1,"reference":"A"}';
      const made = await call('POST', '/api/v3/bills/create', { body, headers: authorization(pair) });
      const missing = error(404, 'Merchant profile not found');
      for (const [status, reads] of [
        ['pending', false],
        ['closed', false],
        ['suspended', true],
      ] as const) {
        await updateProfile(runtime().db, shop.scope('sandbox'), { status });
        await expect
          .poll(() => call('POST', '/api/v3/bills/create', { body, headers: authorization(pair) }), { timeout: 2_000 })
          .toMatchObject(missing);
        await expect
          .poll(async () => (await call('GET', `/api/v3/bills/${made.json.id}`, { headers: authorization(pair) })).status, {
            timeout: 2_000,
          })
          .toBe(reads ? 200 : 404);
      }
    });
  });

  describe('paths and methods', () => {
    test.each([
      ['GET', '/api/v3'],
      ['GET', '/api/v3/'],
      ['GET', '/api/v3/bills/'],
      ['POST', '/api/v3/bills/create/'],
      ['GET', '/api/v3/bills/x/'],
      ['POST', '/api/v3/bills/create/more'],
      ['DELETE', '/api/v3/nothing'],
    ])('%s %s is answered with 404 without credentials', async (method, path) => {
      expect(await call(method, path, { headers: {} })).toMatchObject(error(404, 'Not found'));
    });

    test.each([
      ['GET', '/api/v3/bills/create', 'POST'],
      ['OPTIONS', '/api/v3/bills/create', 'POST'],
      ['PUT', '/api/v3/bills/create', 'POST'],
      ['POST', '/api/v3/bills/x', 'GET, HEAD'],
      ['OPTIONS', '/api/v3/bills/x', 'GET, HEAD'],
      ['PATCH', '/api/v3/bills/x', 'GET, HEAD'],
      ['DELETE', '/api/v3/bills/018f2b1c-0000-7000-8000-000000000000', 'GET, HEAD'],
    ])('%s %s is answered with 405', async (method, path, allow) => {
      const answer = await call(method, path, { headers: {} });
      expect(answer).toMatchObject(error(405, `Method ${method} is not allowed`));
      expect(answer.headers.get('allow')).toBe(allow);
    });

    test.each(['v1', 'v2'])('any path below /api/%s is answered with 410', async (version) => {
      const gone = error(410, `API ${version} is no longer available; use /api/v3`);
      expect(await call('GET', `/api/${version}`, { headers: {} })).toMatchObject(gone);
      expect(await call('POST', `/api/${version}/bills/create?x=1`, { headers: {} })).toMatchObject(gone);
      expect(await call('DELETE', `/api/${version}/a/b`, { headers: { 'x-secret': 's' } })).toMatchObject(gone);
    });

    test("the caller's request id is returned if it is well-formed", async () => {
      expect((await call('GET', '/api/v3/x', { headers: { 'x-request-id': 'order-42.retry_1' } })).headers.get('x-request-id')).toBe(
        'order-42.retry_1',
      );
      expect((await call('GET', '/api/v3/x', { headers: { 'x-request-id': '<script>' } })).headers.get('x-request-id')).not.toBe(
        '<script>',
      );
    });
  });

  describe('Idempotency-Key', () => {
    const keyed = (idempotencyKey: string, body: unknown) => create(body, { 'idempotency-key': idempotencyKey });

    test('a repeated request gets the first answer byte for byte, even if its JSON is formatted differently', async () => {
      const first = await create('{"amount":5000,"reference":"A","mobile":"0712345678"}', { 'idempotency-key': 'k 1~' });
      const again = await create('{ "mobile": "+255 712 345 678", "reference":"A", "amount":5e3, "more":1 }', {
        'idempotency-key': 'k 1~',
      });
      expect(first.headers.get('idempotency-replayed')).toBeNull();
      expect(again).toMatchObject({ status: 200, text: first.text });
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      const [row] = await runtime().db.query<{ n: number }>({ text: 'SELECT count(*)::int AS n FROM push_attempt WHERE bill_id = $1' }, [
        first.json.id,
      ]);
      expect(row?.n).toBe(1);
    });

    test('a key with a different request is refused', async () => {
      await keyed('k2', { amount: 1, reference: 'A' });
      const reused = error(422, 'Idempotency-Key was used with a different request');
      expect(await keyed('k2', { amount: 2, reference: 'A' })).toMatchObject(reused);
      expect(await keyed('k2', { amount: 1, reference: 'B' })).toMatchObject(reused);
      expect(await keyed('k2', { amount: 1, reference: 'A', mobile: '0712345678' })).toMatchObject(reused);
    });

    test('twenty parallel requests with one key create one bill', async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => keyed('k3', { amount: 1, reference: 'parallel' })));
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect(answers.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1);
    });

    test('a failed request does not use up its key', async () => {
      expect((await keyed('k4', { amount: 0, reference: 'A' })).status).toBe(400);
      expect((await keyed('k4', { amount: 1, reference: 'A' })).status).toBe(200);
    });

    test.each(['', 'x'.repeat(256), 'tab\there'])('%j is malformed', async (malformed) => {
      expect(await keyed(malformed, { amount: 1, reference: 'A' })).toMatchObject(
        error(400, 'Idempotency-Key must be 1 to 255 printable ASCII characters'),
      );
    });

    test('a key belongs to one merchant and environment, and expires after a day', async () => {
      const first = await keyed('k5', { amount: 1, reference: 'A' });
      const other = await (await makeMerchant(runtime(), 'Elsewhere')).key('sandbox');
      const elsewhere = await create({ amount: 9, reference: 'Z' }, { ...authorization(other), 'idempotency-key': 'k5' });
      expect(elsewhere.status).toBe(200);
      await runtime().db.query({ text: "UPDATE idempotency_key SET expires_at = now() - interval '1 second' WHERE key = 'k5'" });
      const later = await keyed('k5', { amount: 2, reference: 'B' });
      expect(later.status).toBe(200);
      expect(later.json.id).not.toBe(first.json.id);
    });

    test('a second request waits for one that is still running, and gets 409 after five seconds', async () => {
      const { db } = runtime();
      const held = Promise.withResolvers<void>();
      const started = Promise.withResolvers<void>();
      const holding = db.transaction(async (tx) => {
        await tx.query(
          {
            text: "INSERT INTO idempotency_key (merchant_id, environment, key, request_hash, response, expires_at) VALUES ($1, 'sandbox', 'k6', '\\x00', '{}', now() + interval '1 day')",
          },
          [merchant.merchant.id],
        );
        started.resolve();
        await held.promise;
      });
      await started.promise;
      const waited = performance.now();
      expect(await keyed('k6', { amount: 1, reference: 'A' })).toMatchObject(
        error(409, 'A request with this Idempotency-Key is still running'),
      );
      expect(performance.now() - waited).toBeGreaterThan(4_500);
      held.resolve();
      await holding;
    });
  });

  describe('unique references', () => {
    test('when enabled, a reference that any bill has is refused, with the address of that bill', async () => {
      const shop = await makeMerchant(runtime(), 'Strict');
      const pair = await shop.key('sandbox');
      const make = (reference: string, headers: Record<string, string> = {}) =>
        call('POST', '/api/v3/bills/create', {
          body: JSON.stringify({ amount: 1, reference }),
          headers: { ...authorization(pair), ...headers },
        });
      const before = await make('OLD');
      expect((await make('OLD')).status).toBe(200);
      await updateProfile(runtime().db, shop.scope('sandbox'), { uniqueReferences: true });
      await expect.poll(() => make('OLD'), { timeout: 2_000 }).toMatchObject(error(409, 'reference has already been used'));
      expect((await make('OLD')).headers.get('location')).toMatch(new RegExp(`/api/v3/bills/${before.json.id}$`));

      const answers = await Promise.all(Array.from({ length: 10 }, () => make('NEW')));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);

      const first = await make('KEYED', { 'idempotency-key': 'u1' });
      expect(await make('KEYED', { 'idempotency-key': 'u1' })).toMatchObject({ status: 200, text: first.text });
    });
  });

  test('health and readiness are answered for any host name', async () => {
    expect(await call('GET', '/healthz', { headers: {} })).toMatchObject({ status: 200, json: { status: 'ok' } });
    expect(await call('GET', '/readyz', { headers: {} })).toMatchObject({ status: 200, json: { status: 'ready' } });
    expect(await call('POST', '/healthz', { headers: {} })).toMatchObject(error(405, 'Method POST is not allowed'));
  });
});

describe('unusual and invalid HTTP', () => {
  const open = testWebProcess(() => runtime().settings.DATABASE_URL);

  test.each([
    ['no host, HTTP/1.0', 'GET /api/v3/x HTTP/1.0\r\n\r\n', 404, 'Not found'],
    ['an invalid host', 'GET /api/v3/x HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 421, 'Unknown base address'],
    ['text that is not HTTP', 'NONSENSE\r\n\r\n', 400, 'Request is not valid HTTP'],
    ['too large headers', `GET /api/v3/x HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`, 431, 'Request headers are too large'],
    ['forged internal headers', 'GET /api/v3/x HTTP/1.1\r\nHost: x\r\nX-Bili-Local-Port: 1\r\nConnection: close\r\n\r\n', 404, 'Not found'],
    ['an absolute request target', 'GET http://y/api/v3/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 404, 'Not found'],
    ['an invalid port', 'GET /healthz HTTP/1.1\r\nHost: localhost:99999\r\nConnection: close\r\n\r\n', 421, 'Unknown base address'],
    ['a path outside /api/v3', 'POST /api/bills HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 404, 'Not found'],
    ['a POST to a page on the sandbox port', 'POST /v3/bills/create HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 404, 'Not found'],
    [
      'an incomplete escape in the path of a page',
      'GET /m/x/sandbox/bills/% HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      404,
      'Not found',
    ],
    [
      'an invalid router state',
      'GET /m/x HTTP/1.1\r\nHost: x\r\nRSC: 1\r\nNext-Router-State-Tree: %7B\r\nConnection: close\r\n\r\n',
      400,
      'Request is not valid HTTP',
    ],
    [
      'an invalid escape in an API path',
      'GET /api/v3/bills/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      401,
      'Invalid api key or api secret',
    ],
  ])('%s is answered in JSON', async (_name, text, status, message) => {
    const answer = await overSocket(Number(new URL(open().sandbox).port), text);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toContain(JSON.stringify({ error: message }));
    expect(answer).toMatch(/\r\nx-request-id: [\w-]{36}\r\n/i);
    expect(answer).toMatch(/\r\ncache-control: no-store\r\n/i);
  });
});

describe('base addresses', () => {
  const open = testWebProcess(() => runtime().settings.DATABASE_URL, {
    LIVE_BASE_URL: 'https://pay.example',
    SANDBOX_BASE_URL: 'https://sandbox.pay.example',
  });

  test.each([
    ['pay.example', 'live'],
    ['PAY.example:443', 'live'],
    ['sandbox.pay.example', 'sandbox'],
  ])('host %s is %s', async (host, environment) => {
    const shop = await makeMerchant(runtime());
    const pair = await shop.key(environment === 'live' ? 'live' : 'sandbox');
    const answer = await withHost(open().live, '/api/v3/bills/create', host, pair, '{"amount":1,"reference":"A"}');
    expect(answer.status).toBe(200);
    expect(answer.text).toContain(`"webPayUrl":"https://${environment === 'live' ? '' : 'sandbox.'}pay.example/pay?bill=`);
  });

  test.each(['evil.example', 'pay.example:444', 'pay.example.evil.example'])(
    'host %j is answered with 421 before all other checks',
    async (host) => {
      for (const path of ['/api/v3/bills/create', '/api/v3/nothing', '/api/v1/x']) {
        expect(await withHost(open().live, path, host, null, '{}')).toEqual({ status: 421, text: '{"error":"Unknown base address"}' });
      }
    },
  );

  test('a loopback host is matched by its port; health checks accept any host', async () => {
    const pair = await (await makeMerchant(runtime())).key('sandbox');
    const { port } = new URL(open().sandbox);
    expect((await withHost(open().live, '/api/v3/bills/x', `localhost:${port}`, pair)).status).toBe(404);
    expect((await withHost(open().live, '/healthz', 'anything.example', null)).status).toBe(200);
  });
});

async function overSocket(port: number, text: string): Promise<string> {
  // `write` leaves the socket open. If the client closed its side with `end`, the server would drop a request that needs the database.
  const socket = connect(port, '127.0.0.1');
  socket.write(text);
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  return answer;
}

function withHost(
  origin: string,
  path: string,
  host: string,
  pair: KeyPair | null,
  body?: string,
): Promise<{ status: number; text: string }> {
  const headers = { host, ...(pair && { authorization: `ApiKey ${pair.id}:${pair.secret}` }) };
  return raw(origin + path, { method: body === undefined ? 'GET' : 'POST', headers }, body);
}

function chunked(origin: string, body: string, headers: Record<string, string>): Promise<{ status: number; text: string }> {
  return raw(`${origin}/api/v3/bills/create`, { method: 'POST', headers: { ...headers, 'transfer-encoding': 'chunked' } }, body);
}

/** Sends a request with a chosen Host header or without a length, which fetch cannot do. */
function raw(
  url: string,
  options: { method: string; headers: Record<string, string> },
  body?: string,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const request = nodeRequest(url, options, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    request.on('error', reject);
    request.end(body);
  });
}
