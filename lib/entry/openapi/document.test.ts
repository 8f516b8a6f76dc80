import { Ajv2020 } from 'ajv/dist/2020';
import { expect, test } from 'vitest';
import { ERRORS } from '@/lib/entry/http/errors';
import { DESCRIBED_ROUTES, describedApi, operationsOf } from '@/testing/openapi/described-api';
import { addressPattern, listRouteFiles } from '@/testing/surface/route-files';

const document = describedApi();
const operations = operationsOf(document);

test('every route file of the API is in the description, and the description has no other paths', () => {
  const files = listRouteFiles().filter((file) => file.startsWith('api/v') && !file.includes('[[...'));
  const paths = files.map((file) => `/${addressPattern(file).replace(/\[(\w+)\]/g, '{$1}')}`);
  expect(Object.keys(document.paths).sort()).toEqual(paths.sort());
});

test('every operation has a name, a group, texts and an example of its answer', () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { operation } of operations) {
    expect(operation.operationId).toMatch(/^[a-z][A-Za-z]+$/);
    expect(document.tags.map(({ name }) => name)).toEqual(expect.arrayContaining([...operation.tags]));
    expect(operation.description, operation.operationId).toMatch(/^[A-Z].*\.$/s);
    for (const parameter of operation.parameters ?? []) expect(parameter.description, parameter.name).not.toBe('');
  }
});

test('every failure of a route is an answer with its status, code and message', () => {
  for (const route of DESCRIBED_ROUTES) {
    const found = operations.find(({ operation }) => operation.operationId === route.docs.operationId);
    const examples = Object.entries(found?.operation.responses ?? {}).flatMap(([status, { content }]) =>
      Object.entries(content?.['application/json'].examples ?? {}).map(([code, { value }]) => ({ status, code, value })),
    );
    expect(examples.map(({ code }) => code).sort()).toEqual([...new Set(route.failures)].sort());
    for (const { status, code, value } of examples) {
      const [, error] = Object.entries(ERRORS).find(([known]) => known === code) ?? [];
      expect(Number(status)).toBe(error?.status);
      const message = JSON.stringify(value);
      expect(message).toMatch(/^\{"error":"[^…{}]+"\}$/);
      for (const part of (error?.message ?? '').split('{}')) expect(message).toContain(part);
    }
  }
});

test('the example of every answer is one that the route can give', () => {
  for (const route of DESCRIBED_ROUTES)
    expect(route.response.parse(route.docs.example.answer), route.path).toEqual(route.docs.example.answer);
  expect(DESCRIBED_ROUTES.length).toBeGreaterThan(10);
});

test('objects are open for new members, except those that the contract fixes', () => {
  const closed = Object.entries(document.components.schemas).filter(([, { additionalProperties }]) => additionalProperties === false);
  expect(closed.map(([name]) => name)).toEqual(['CreatedBill', 'Error', 'Webhook', 'WebhookBill']);
  expect(Object.keys(document.components.schemas.CreatedBill?.properties ?? {})).toHaveLength(7);
  expect(Object.keys(document.components.schemas.WebhookBill?.properties ?? {})).toHaveLength(5);
});

test('members that can be null say so', () => {
  const { Bill, CreateBillRequest } = document.components.schemas;
  expect(Bill?.properties).toMatchObject({
    mobile: { type: ['string', 'null'] },
    paidAt: { type: ['integer', 'null'] },
    lastAttempt: { anyOf: [{ $ref: '#/components/schemas/LastAttempt' }, { type: 'null' }] },
    amount: { type: 'number', format: 'double' },
  });
  expect(CreateBillRequest).toMatchObject({
    required: ['amount', 'reference'],
    properties: { amount: { type: 'number', exclusiveMinimum: 0 }, mobile: { type: ['string', 'null'] } },
  });
});

test('no validator refuses an amount because of binary fractions', () => {
  expect(JSON.stringify(document)).not.toContain('multipleOf');
  const allows = new Ajv2020({ strict: false }).compile(document.components.schemas.CreateBillRequest ?? false);
  const amounts = Array.from({ length: 20_000 }, (_, cents) => (cents + 1) / 100);
  expect(amounts.filter((amount) => !allows({ amount, reference: 'A' }))).toEqual([]);
});

test('the values that later versions may extend are open, and those that the contract fixes are not', () => {
  const { AttemptReason, Attempt, Payment, PromptForecast, CreatedBill } = document.components.schemas;
  const open = { anyOf: [{ type: 'string', enum: expect.any(Array) }, { type: 'string' }] };
  expect(AttemptReason).toMatchObject(open);
  expect(Attempt?.properties).toMatchObject({ network: open, source: open });
  expect(Payment?.properties).toMatchObject({ kind: open });
  expect(PromptForecast?.properties).toMatchObject({ network: open, problem: { anyOf: [open, { type: 'null' }] } });
  expect(CreatedBill?.properties).toMatchObject({ status: { $ref: '#/components/schemas/BillStatus' } });
  expect(document.components.schemas.BillStatus).toMatchObject({ type: 'string', enum: expect.any(Array) });
  expect(JSON.stringify(document)).not.toContain('x-open');
});

test('every operation names the scope that it needs', () => {
  for (const route of DESCRIBED_ROUTES) {
    const found = operations.find(({ operation }) => operation.operationId === route.docs.operationId);
    expect(found?.operation['x-scopes']).toEqual(route.keyScope === null ? undefined : [route.keyScope]);
    const { key_scope_missing: example } = found?.operation.responses[403]?.content?.['application/json'].examples ?? {};
    expect(example?.summary).toBe(route.keyScope === null ? undefined : `This api key needs the scope ${route.keyScope}`);
    const schemes = { apiKey: [{ ApiKey: [] }], session: [{ Session: [] }], none: [] };
    expect(found?.operation.security).toEqual(schemes[route.auth]);
  }
  expect(document.info.contact.name).not.toBe('');
});

test('the base addresses and the largest amount are those of the installation', () => {
  const own = describedApi({
    LIVE_BASE_URL: 'https://pay.shop.co.tz',
    SANDBOX_BASE_URL: 'https://sandbox.shop.co.tz',
    MAX_BILL_AMOUNT: '5000000',
  });
  expect(own.servers.map(({ url }) => url)).toEqual(['https://pay.shop.co.tz', 'https://sandbox.shop.co.tz']);
  expect(own.components.schemas.CreateBillRequest?.properties).toMatchObject({ amount: { maximum: 5_000_000 } });
});
