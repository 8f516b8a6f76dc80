import { expect, test } from 'vitest';
import { z } from 'zod';
import { API_ROUTES } from '@/app/api/v3/api-routes';
import { findRoute } from '@/app/direct-routes';
import { KEY_SCOPES } from '@/lib/identity/accounts/key-scopes';
import { pay } from '@/testing/data/paying';
import { testListener } from '@/testing/fakes/listener';
import { makeBill, makeMerchant, testRuntime } from '@/testing/runtime';
import { addressPattern, listRouteFiles } from '@/testing/surface/route-files';
import { ERRORS } from './errors';

const runtime = testRuntime();
const origin = testListener(runtime);

const routes = API_ROUTES;
const jsonSchema = (schema: z.ZodType, io: 'input' | 'output') => z.toJSONSchema(schema, { io, unrepresentable: 'any' });

test('every method of a path of the API has one route, and findRoute finds the path', () => {
  for (const { path } of routes) expect(findRoute(path.replace(/:\w+/g, 'x')), path).toHaveProperty('answer');
  expect(new Set(routes.map(({ method, path }) => `${method} ${path}`)).size).toBe(routes.length);
});

test.each([
  '/api/v3/bills/1',
  '/pay',
  '/pay/',
  '/p/x',
  '/docs',
  '/docs/sw/errors',
  '/callbacks/mpesa/x',
  '/readyz',
  '/',
  '/sign-in',
  '/payments',
])('%s is answered by the listener', (path) => expect(findRoute(path)).toBeDefined());

test.each([
  '/api/auth/signin',
  '/API/V3/networks',
  '/apiv3',
  '/m/duka/live/bills',
  '/m',
  '/account',
  '/_next/x.js',
  '/__nextjs',
  '/icon.svg',
  '/robots.txt',
])('%s is answered by Next.js', (path) => {
  expect(findRoute(path)).toBeUndefined();
});

test('no file of a page or route of Next.js has a path that the listener answers', () => {
  expect(listRouteFiles().filter((file) => !/direct\.tsx?$/.test(file) && findRoute(`/${addressPattern(file)}`) !== undefined)).toEqual([]);
});

test.each(routes.map((route) => [route.summary, route] as const))('the declaration of "%s" is complete', (_summary, route) => {
  const { path, params, query, body, response, failures } = route;
  expect(Object.keys(params.shape)).toEqual([...path.matchAll(/:(\w+)/g)].map(([, name]) => name));
  expect(ERRORS).toMatchObject(Object.fromEntries(failures.map((code) => [code, expect.anything()])));
  const inputs = [...Object.values(params.shape), ...Object.values(query.shape), ...Object.values(body.headers.shape)];
  const members = body.schema ? Object.values(body.schema(runtime().settings).shape) : [];
  for (const input of [...inputs, ...members])
    expect(Object.keys(jsonSchema(z.object({ input }), 'input').properties?.input ?? {})).not.toEqual([]);
  expect(jsonSchema(response, 'output')).toMatchObject({ type: 'object' });
});

test('the body of a new bill can be described in JSON Schema', () => {
  const [create] = routes.filter(({ path }) => path.endsWith('/create'));
  if (!create?.body.schema) throw new Error('there is a route that creates a bill');
  expect(jsonSchema(create.body.schema(runtime().settings), 'input')).toMatchObject({
    required: ['amount', 'reference'],
    properties: {
      amount: { type: 'number', exclusiveMinimum: 0, maximum: runtime().settings.MAX_BILL_AMOUNT },
      reference: { type: 'string', minLength: 1, maxLength: 255 },
      mobile: { type: ['string', 'null'] },
      description: { type: ['string', 'null'], maxLength: 255 },
      customer: { type: ['object', 'null'], properties: { name: { maxLength: 100 } } },
      dueAt: { type: ['integer', 'null'] },
    },
  });
  expect(create.failures).toEqual(
    expect.arrayContaining(['amount_required', 'mobile_invalid', 'reference_used', 'body_not_json', 'internal']),
  );
});

test('every route answers with the JSON that it declares', async () => {
  const merchant = await makeMerchant(runtime());
  const { id, secret } = await merchant.key('sandbox', KEY_SCOPES);
  const call = async (path: string, body?: unknown): Promise<unknown> => {
    const headers = { authorization: `ApiKey ${id}:${secret}`, 'idempotency-key': path };
    const init = body === undefined ? { headers } : { headers, method: 'POST', body: new Blob([JSON.stringify(body)]) };
    const response = await fetch(origin() + path, init);
    expect(response.status).toBe(200);
    return response.json();
  };
  const billId = await makeBill(runtime(), merchant, { mobile: '0712345678' });
  await pay(runtime(), billId, 500_100n);
  const unpaidId = await makeBill(runtime(), merchant);
  const answers = {
    'POST /api/v3/bills/create': await call('/api/v3/bills/create', { amount: 5000.5, reference: 'A', mobile: '0712345678' }),
    'POST /api/v3/bills/validate': await call('/api/v3/bills/validate', { amount: 5000.5, reference: 'A', mobile: '0712345678' }),
    'POST /api/v3/bills/bulk': await call('/api/v3/bills/bulk', { bills: [{ amount: 1, reference: 'A' }, { amount: 1 }] }),
    'GET /api/v3/bills/:id': await call(`/api/v3/bills/${billId}`),
    'GET /api/v3/bills': await call('/api/v3/bills'),
    'GET /api/v3/bills/:id/payments': await call(`/api/v3/bills/${billId}/payments`),
    'POST /api/v3/bills/:id/payments': await call(`/api/v3/bills/${unpaidId}/payments`, { amount: 1.5, kind: 'cash' }),
    'POST /api/v3/bills/:id/refunds': await call(`/api/v3/bills/${billId}/refunds`, { amount: 1.5, reason: 'Sold out' }),
    'GET /api/v3/bills/:id/refunds': await call(`/api/v3/bills/${billId}/refunds`),
    'POST /api/v3/bills/:id/instruments': await call(`/api/v3/bills/${unpaidId}/instruments`, {}),
    'GET /api/v3/bills/:id/instruments': await call(`/api/v3/bills/${unpaidId}/instruments`),
    'GET /api/v3/bills/:id/attempts': await call(`/api/v3/bills/${billId}/attempts`),
    'GET /api/v3/bills/:id/events': await call(`/api/v3/bills/${billId}/events`),
    'POST /api/v3/bills/:id/close': await call(`/api/v3/bills/${unpaidId}/close`, {}),
    'POST /api/v3/bills/:id/reopen': await call(`/api/v3/bills/${unpaidId}/reopen`, {}),
    'POST /api/v3/bills/:id/push': await call(`/api/v3/bills/${unpaidId}/push`, { mobile: '0712345678' }),
    'GET /api/v3/events': await call('/api/v3/events'),
    'GET /api/v3/networks': await call('/api/v3/networks'),
    'POST /api/v3/sandbox/time': await call('/api/v3/sandbox/time', { advanceSeconds: 1 }),
  };
  expect(Object.keys(answers).sort()).toEqual(routes.map(({ method, path }) => `${method} ${path}`).sort());
  for (const { method, path, response } of routes) {
    const answer: unknown = Object.entries(answers).find(([answered]) => answered === `${method} ${path}`)?.[1];
    expect(response.parse(answer), path).toEqual(answer);
  }
  expect(answers).toMatchObject({
    'GET /api/v3/events': { events: [{}, {}] },
    'GET /api/v3/bills': { bills: [{}, {}, {}, {}] },
    'GET /api/v3/bills/:id/payments': { payments: [{ kind: 'payment', amount: 5001 }] },
    'GET /api/v3/bills/:id/attempts': { attempts: [{ state: 'PENDING', source: 'api', mobile: '0712345678', amount: 5001 }] },
    'GET /api/v3/bills/:id/events': { events: [{}] },
  });
});

test('the networks say whose customers can pay now', async () => {
  const { id, secret } = await (await makeMerchant(runtime())).key('sandbox');
  const statuses = async () => {
    const answer = await fetch(`${origin()}/api/v3/networks`, { headers: { authorization: `ApiKey ${id}:${secret}` } });
    expect(answer.status).toBe(200);
    const { networks }: { networks: { network: string; wallet: string; status: string }[] } = await answer.json();
    return Object.fromEntries(networks.map(({ network, status }) => [network, status]));
  };
  const served = { vodacom: 'working', yas: 'working', airtel: 'working', halotel: 'working', ttcl: 'working' };
  expect(await statuses()).toEqual(served);
  const change = (set: string) => runtime().db.query({ text: `UPDATE provider_account SET ${set} WHERE provider = 'sandbox'` });
  await change("networks = '{vodacom,airtel}', down_since = now()");
  expect(await statuses()).toEqual({
    vodacom: 'problems',
    airtel: 'problems',
    yas: 'not_served',
    halotel: 'not_served',
    ttcl: 'not_served',
  });
});
