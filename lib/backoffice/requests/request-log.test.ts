import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { API_ROUTES } from '@/app/api/v3/api-routes';
import { replayRequest } from '@/lib/entry/http/replay-request';
import { webRuntime } from '@/lib/entry/server/web-runtime';
import type { MerchantAccess } from '@/lib/identity/accounts/access/grant-access';
import { DAY_MS } from '@/lib/platform/core/clock';
import { joinAs, letIn, TEST_ADDRESS } from '@/testing/data/access';
import { testListener } from '@/testing/fakes/listener';
import { makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { explaining } from '@/testing/schema/explain';
import { deleteOldRequests } from './delete-old-requests';
import { listRequests, type RequestView } from './list-requests';
import { requestQuery } from './request-query';
import { KEPT, KEPT_REFUSED, type RequestKind } from './rules';
import { showRequest } from './show-request';

const runtime = testRuntime({ RATE_LIMIT_SANDBOX_READS: '4' });
const sandbox = testListener(runtime);

let shop: TestMerchant;
let owner: MerchantAccess;
let key: { readonly id: string; readonly secret: string };
beforeAll(async () => {
  shop = await makeMerchant(runtime());
  owner = await letIn(runtime(), shop);
  key = await shop.key('sandbox');
});

interface Sent {
  readonly authorization?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const send = async (path: string, sent: Sent = {}): Promise<string> => (await request(path, sent)).id;

async function request(path: string, { authorization = `ApiKey ${key.id}:${key.secret}`, body, headers = {} }: Sent) {
  const requestId = randomUUID();
  const all = { authorization, 'content-type': 'application/json', 'x-request-id': requestId, ...headers };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await fetch(`${sandbox()}${path}`, body === undefined ? { headers: all } : { method: 'POST', headers: all, body: text });
  await answer.arrayBuffer();
  // The request is recorded after its answer was written.
  await new Promise(setImmediate);
  return { id: requestId, status: answer.status };
}

async function list(access: MerchantAccess, filter: Readonly<Record<string, string>> = {}): Promise<readonly RequestView[]> {
  await webRuntime().requestRecorder.flush();
  const query = requestQuery((name) => filter[name] ?? null);
  return (await listRequests(runtime(), access, { query, before: null }))?.requests ?? [];
}

/** Returns a request of the log. Waits for it, because a request without a route is recorded only after its key has been found. */
async function logged(requestId: string, access = owner) {
  const row = await vi.waitFor(
    async () => {
      const [found] = await list(access, { request: requestId });
      if (!found) throw new Error(`the request ${requestId} is not in the log`);
      return found;
    },
    { timeout: 60_000 },
  );
  return showRequest(runtime(), access, row.id);
}

const create = (reference: string, more: Sent = {}) =>
  send('/api/v3/bills/create', { body: { amount: 5000.5, reference, mobile: '0712345001' }, ...more });

describe('the request log', () => {
  test('shows a request and its answer, with a masked number and without the secret', async () => {
    const shown = await logged(await create('LOGGED', { headers: { 'idempotency-key': 'order-1', 'user-agent': 'Duka/1' } }));
    expect(shown).toMatchObject({ method: 'POST', path: '/api/v3/bills/create', status: 200, keyId: key.id, keyLabel: 'test', code: null });
    expect(shown?.body).toBe('{\n  "amount": 5000.5,\n  "reference": "LOGGED",\n  "mobile": "0*** *** 001"\n}');
    expect(shown?.answer).toContain('"amount": 5000.5,');
    expect(shown?.answer).toContain('"mobile": "0*** *** 001"');
    expect(shown?.headers).toEqual({ 'content-type': 'application/json', 'idempotency-key': 'order-1', 'user-agent': 'Duka/1' });
    expect(shown?.billId).toBe(JSON.parse(shown?.answer ?? '{}').id);
    const rows = await runtime().db.query<{ row: string }>({ text: 'SELECT to_jsonb(a)::text AS row FROM api_request a' });
    expect(rows.length).toBeGreaterThan(0);
    for (const { row } of rows) expect(row).not.toContain(key.secret);
  });

  test('shows why a request was refused, also if its key was not accepted', async () => {
    const other = await shop.key('live');
    const invalid = await logged(await send('/api/v3/bills/create', { body: { reference: 'X' } }));
    expect(invalid).toMatchObject({ status: 400, code: 'amount_required', error: 'amount is required', refusal: null });
    const wrong = await logged(await create('WRONG', { authorization: `ApiKey ${key.id}:${key.secret.replace(/^bili/, 'bill')}` }));
    expect(wrong).toMatchObject({ status: 401, code: 'credentials_invalid', refusal: 'wrong_secret', body: null, replay: 'incomplete' });
    const path = await logged(await send('/api/v3/bill/create'));
    expect(path).toMatchObject({ status: 404, code: 'not_found', keyId: key.id });
    const method = await logged(await send('/api/v3/bills/create'));
    expect(method).toMatchObject({ status: 405, code: 'method_not_allowed', answerHeaders: { allow: 'POST' } });
    // A request to the sandbox with a live key is recorded in the live log.
    const live = await logged(
      await create('LIVE', { authorization: `ApiKey ${other.id}:${other.secret}` }),
      await letIn(runtime(), shop, { environment: 'live' }),
    );
    expect(live).toMatchObject({ status: 401, refusal: 'other_environment', replay: null });
  });

  test('shows requests above the rate limit', async () => {
    // Another merchant, because the log records a limited number of requests per second.
    const busy = await makeMerchant(runtime(), 'Duka la Haraka');
    const { id, secret } = await busy.key('sandbox');
    // The key may send 20 requests at once. On a slow machine, the limit allows more requests before the loop has sent all of them.
    let last = { id: '', status: 0 };
    for (let sent = 0; sent < 100 && last.status !== 429; sent += 1)
      last = await request('/api/v3/networks', { authorization: `ApiKey ${id}:${secret}` });
    expect(await logged(last.id, await letIn(runtime(), busy))).toMatchObject({
      status: 429,
      code: 'too_many_requests',
      error: 'Too many requests',
    });
  });

  test('lists a request with the bill that it was about, and a refused one without', async () => {
    const [made, refused] = [await create('WITH-BILL'), await send('/api/v3/bills/create', { body: { reference: 'NO-BILL' } })];
    const [row] = await list(owner, { request: made });
    expect(row?.bill).toEqual({ id: row?.billId, reference: 'WITH-BILL', amount: 500_050n });
    expect(await list(owner, { request: refused })).toMatchObject([{ bill: null, code: 'amount_required' }]);
  });

  test('does not record requests of unknown callers', async () => {
    const unknown = await send('/api/v3/networks', { authorization: 'ApiKey none:none' });
    const [{ count } = { count: 1 }] = await runtime().db.query<{ count: number }>(
      { text: 'SELECT count(*)::int AS count FROM api_request WHERE request_id = $1' },
      [unknown],
    );
    expect(count).toBe(0);
  });

  test('filters by status, path, key and the beginning of the request id', async () => {
    const second = await shop.key('sandbox');
    const id = await send('/api/v3/bills?reference=0712345009', { authorization: `ApiKey ${second.id}:${second.secret}` });
    const bad = await send('/api/v3/bills?limit=0', { authorization: `ApiKey ${second.id}:${second.secret}` });
    const ids = async (filter: Readonly<Record<string, string>>) => (await list(owner, filter)).map(({ requestId }) => requestId);
    expect(await ids({ key: second.id })).toEqual([bad, id]);
    expect(await ids({ key: second.id, status: '4xx' })).toEqual([bad]);
    expect(await ids({ key: second.id, status: 'errors' })).toEqual([bad]);
    expect(await ids({ key: second.id, status: '2xx' })).toEqual([id]);
    expect(await ids({ key: second.id, status: '5xx' })).toEqual([]);
    expect(await ids({ path: 'limit=0', key: second.id })).toEqual([bad]);
    expect(await ids({ request: id.slice(0, 12) })).toEqual([id]);
    expect((await list(owner, { request: id }))[0]?.path).toBe('/api/v3/bills?reference=0*** *** 009');
  });

  test('belongs to one merchant and environment, and to the roles that see keys', async () => {
    const other = await makeMerchant(runtime(), 'Duka Jingine');
    const stranger = await letIn(runtime(), other);
    const requestId = await create('PRIVATE');
    const shown = await logged(requestId);
    expect(shown?.status).toBe(200);
    expect(await list(stranger, { request: requestId })).toEqual([]);
    expect(await showRequest(runtime(), stranger, shown?.id ?? '')).toBeUndefined();
    const live = await letIn(runtime(), shop, { environment: 'live' });
    expect(await list(live, { request: requestId })).toEqual([]);
    expect(await showRequest(runtime(), live, shown?.id ?? '')).toBeUndefined();
    expect(await showRequest(runtime(), await joinAs(runtime(), shop, 'collector'), shown?.id ?? '')).toBeUndefined();
    expect((await showRequest(runtime(), await joinAs(runtime(), shop, 'viewer'), shown?.id ?? ''))?.replay).toBeNull();
    const replay = (access: MerchantAccess) => replayRequest(webRuntime(), access, { id: shown?.id ?? '', routes: API_ROUTES });
    expect(await replay(stranger)).toEqual({ ok: false, error: 'not_found' });
    for (const role of ['viewer', 'collector'] as const)
      expect(await replay(await joinAs(runtime(), shop, role))).toEqual({ ok: false, error: 'not_replayable' });
  });
});

describe('a replay', () => {
  const replay = (id: string | undefined) => replayRequest(webRuntime(), owner, { id: id ?? '', routes: API_ROUTES });

  test('sends the same request with a new Idempotency-Key, and names the member', async () => {
    const first = await logged(await create('AGAIN', { headers: { 'idempotency-key': 'order-2' } }));
    expect(first?.replay).toBe('possible');
    const done = await replay(first?.id);
    const second = done.ok && done.value.id !== null ? await showRequest(runtime(), owner, done.value.id) : undefined;
    expect(second).toMatchObject({ status: 200, replayOf: first?.id, replayedBy: owner.actor.name, address: TEST_ADDRESS, keyId: key.id });
    expect(second?.headers['idempotency-key']).toMatch(/^replay-/);
    expect(second?.billId).not.toBe(first?.billId);
    const bill = await runtime().db.prisma.bill.findUniqueOrThrow({ where: { id: second?.billId ?? '' } });
    expect([bill.reference, bill.mobile, bill.merchantId]).toEqual(['AGAIN', '0712345001', shop.merchant.id]);
    const audited = await runtime().db.prisma.auditEntry.findMany({ where: { action: 'request.replayed', subject: first?.id ?? '' } });
    expect(audited.map(({ actor }) => actor)).toEqual([owner.actor.name]);
  });

  test('of an id that is no UUID is refused', async () => {
    expect(await replay('constructor')).toMatchObject({ error: 'not_found' });
  });

  test('of a wrong request gets the same error, through the same checks', async () => {
    for (const [path, body, status] of [
      ['/api/v3/bills/create', '{"amount":', 400],
      ['/api/v3/bills/none/close', '', 404],
      ['/api/v3/none', undefined, 404],
    ] as const) {
      const first = await logged(await send(path, body === undefined ? {} : { body }));
      const done = await replay(first?.id);
      const second = done.ok && done.value.id !== null ? await showRequest(runtime(), owner, done.value.id) : undefined;
      expect([first?.status, second?.status, second?.answer]).toEqual([status, status, first?.answer]);
    }
  });

  test('is refused if the key is revoked or the body was cut', async () => {
    const old = await shop.key('sandbox');
    const first = await logged(await create('OLD', { authorization: `ApiKey ${old.id}:${old.secret}` }));
    await runtime().db.prisma.apiKey.update({ where: { id: old.id }, data: { revokedAt: runtime().clock() } });
    expect(await replay(first?.id)).toEqual({ ok: false, error: 'key_inactive' });
    const long = await logged(await send('/api/v3/bills/create', { body: { amount: 1, reference: 'L', more: 'x'.repeat(20_000) } }));
    expect([long?.status, long?.replay]).toEqual([200, 'incomplete']);
    expect(await replay(long?.id)).toEqual({ ok: false, error: 'not_replayable' });
  });
});

test('the worker deletes requests after a week, and those above the limit of a merchant: failed, refused and successful ones apart', async () => {
  const full = await makeMerchant(runtime(), 'Duka Kubwa');
  const insert = (kind: RequestKind, count: number) =>
    runtime().db.query(
      {
        text: `INSERT INTO api_request (id, merchant_id, environment, failed, refusal, at, key_id, request_id, method, path, status, duration_us,
                 headers, complete, answer_headers, answer)
               SELECT ('ffffffff-ffff-7000-8000-' || $2 || lpad(n::text, 11, '0'))::uuid, $1, 'sandbox', $3 <> 'served',
                 CASE $3 WHEN 'refused' THEN 'secret' END, now(), 'k', 'r', 'GET', '/', 200, 1, '{}', false, '{}', ''
               FROM generate_series(1, $4::int) AS n`,
      },
      [full.merchant.id, { failed: '0', refused: '1', served: '2' }[kind], kind, count],
    );
  await insert('served', KEPT + 3);
  await insert('failed', KEPT);
  // The refused requests are newer than the failed ones.
  await insert('refused', KEPT + 7);
  const count = (merchantId: string) => runtime().db.prisma.apiRequest.count({ where: { merchantId } });
  const refused = () => runtime().db.prisma.apiRequest.count({ where: { merchantId: full.merchant.id, refusal: { not: null } } });
  const before = await count(shop.merchant.id);
  expect(before).toBeGreaterThan(0);
  const { db, scans } = explaining(runtime().db);
  await deleteOldRequests({ ...runtime(), db });
  // Each row is read a few times, and not once for each row that is kept.
  expect(scans.filter(({ table }) => table === 'api_request').reduce((sum, { rows }) => sum + rows, 0)).toBeLessThan(10 * KEPT);
  expect([await count(full.merchant.id), await count(shop.merchant.id), await refused()]).toEqual([
    2 * KEPT + KEPT_REFUSED,
    before,
    KEPT_REFUSED,
  ]);
  expect(await deleteOldRequests(runtime())).toBe(0);
  const later = () => new Date(runtime().clock().getTime() + 8 * DAY_MS);
  await deleteOldRequests({ ...runtime(), clock: later });
  expect([await count(full.merchant.id), await count(shop.merchant.id)]).toEqual([2 * KEPT + KEPT_REFUSED, 0]);
});
