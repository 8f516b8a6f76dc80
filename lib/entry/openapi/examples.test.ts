import { expect, test } from 'vitest';
import { API_ROUTES } from '@/app/api/v3/api-routes';
import { setEndpoint } from '@/lib/gateway/webhooks/endpoint/set-endpoint';
import { KEY_SCOPES } from '@/lib/identity/accounts/key-scopes';
import { deliverAll } from '@/testing/data/deliveries';
import { pay } from '@/testing/data/paying';
import { testListener } from '@/testing/fakes/listener';
import { testReceiver } from '@/testing/fakes/receiver';
import { answerChecker } from '@/testing/openapi/check-answer';
import { schemaCompiler } from '@/testing/openapi/compile';
import { type DescribedOperation, describedApi, operationsOf } from '@/testing/openapi/described-api';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';

const runtime = testRuntime();
const receiver = testReceiver();
const origin = testListener(runtime);
const document = describedApi();
const operations = operationsOf(document);
const problemsOf = answerChecker(document);
// The operations of the group Internal need a cashier: the test of the counter's interface calls them.
const named = operations
  .filter(({ operation }) => !operation.tags.includes('Internal'))
  .map((described) => [described.operation.operationId, described] as const);
const NO_BILL = '01a1fb0f-0000-7000-8000-000000000000';

interface Sent {
  readonly id?: string;
  readonly authorization?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends the example of an operation. The second parameter contains what differs from the example. */
async function send({ path, method, operation }: DescribedOperation, { id = NO_BILL, authorization, headers, body }: Sent) {
  const { parameters = [], requestBody } = operation;
  const given = (kind: string) => parameters.filter((one) => one.in === kind && one.example !== undefined);
  const pairs = (kind: string) => given(kind).map(({ name, example }) => [name, String(example)]);
  const query = new URLSearchParams(pairs('query'));
  const response = await fetch(`${origin()}${path.replace('{id}', id)}?${query}`, {
    method,
    headers: { ...Object.fromEntries(pairs('header')), ...(authorization !== undefined && { authorization }), ...headers },
    body: requestBody ? new Blob([body ?? JSON.stringify(requestBody.content['application/json'].example)]) : null,
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function authorizationOf(merchant: TestMerchant): Promise<string> {
  const { id, secret } = await merchant.key('sandbox', KEY_SCOPES);
  return `ApiKey ${id}:${secret}`;
}

test.each(named)('the example of %s succeeds, and its answer is as described', async (_id, described) => {
  const merchant = await makeMerchant(runtime());
  const authorization = await authorizationOf(merchant);
  const id = await makeBill(runtime(), merchant, { mobile: '0712345678', amount: 5000 });
  // An operation that changes a bill needs an open bill. One that reads the history of a bill, or gives money back, needs one with a payment.
  const needsPaid = described.method === 'GET' || described.operation.operationId === 'refundBill';
  if (needsPaid) await pay(runtime(), id, 500_000n);
  const open = await makeBill(runtime(), merchant);
  const answer = await send(described, { id: needsPaid ? id : open, authorization });
  expect(answer.status, answer.text).toBe(200);
  expect(problemsOf(described.operation, answer)).toEqual([]);
});

test.each(named.filter(([, { operation }]) => operation.security?.length !== 0))(
  'the refusals of %s are as described',
  async (id, described) => {
    const authorization = await authorizationOf(await makeMerchant(runtime()));
    const { path, operation } = described;
    const hasBody = operation.requestBody !== undefined;
    const takesKey = operation.parameters?.some(({ name }) => name === 'Idempotency-Key') ?? false;
    const maxBytes = API_ROUTES.find(({ docs }) => docs.operationId === id)?.body.maxBytes ?? 0;
    const refusals = [
      { status: 401, sent: {}, applies: true },
      { status: 404, sent: { authorization }, applies: path.includes('{id}') },
      { status: 400, sent: { authorization, body: '{' }, applies: hasBody },
      { status: 400, sent: { authorization, body: '[]' }, applies: hasBody },
      { status: 400, sent: { authorization, headers: { 'idempotency-key': 'é' } }, applies: takesKey },
      { status: 413, sent: { authorization, body: `{"a":"${'x'.repeat(maxBytes)}"}` }, applies: hasBody },
      { status: 415, sent: { authorization, headers: { 'content-type': 'text/plain' } }, applies: hasBody },
    ];
    for (const { status, sent } of refusals.filter(({ applies }) => applies)) {
      const answer = await send(described, sent);
      expect(answer.status, answer.text).toBe(status);
      expect(problemsOf(operation, answer)).toEqual([]);
    }
  },
);

test('the webhook is as described', async () => {
  const merchant = await makeMerchant(runtime());
  await setEndpoint(runtime(), merchant.operator('sandbox'), receiver.url());
  await pay(runtime(), await makeBill(runtime(), merchant, { mobile: '0712345678', amount: 1000 }), 100_000n);
  await deliverAll(runtime());
  const [webhook] = receiver.received.splice(0);
  const { parameters = [], requestBody } = document.webhooks.billStatusChanged?.post ?? {};
  const schema = requestBody?.content['application/json'].schema;
  if (!webhook || !schema) throw new Error('there is a webhook, and its description');
  for (const { name } of parameters) expect(Object.keys(webhook.headers)).toContain(name.toLowerCase());
  const validate = schemaCompiler(document, { closed: true })(schema);
  expect(validate(JSON.parse(webhook.body)), JSON.stringify(validate.errors)).toBe(true);
  expect(parameters).toHaveLength(4);
});

test('an answer that is not as described is noticed', () => {
  const [, described] = named.find(([id]) => id === 'listNetworks') ?? [];
  if (!described) throw new Error('there is the operation');
  const headers = new Headers({ 'x-request-id': 'x' });
  const check = (status: number, body: unknown, more: Readonly<Record<string, string>> = {}) =>
    problemsOf(described.operation, {
      status,
      headers: new Headers({ ...Object.fromEntries(headers), ...more }),
      text: JSON.stringify(body),
    });
  expect(check(200, { networks: [] })).toEqual([]);
  expect(check(200, { networks: [], more: 1 })).toEqual([expect.stringContaining('must NOT have additional properties')]);
  expect(check(200, { networks: [{ network: 'vodacom', wallet: 'M-Pesa', status: 'broken' }] })).toHaveLength(1);
  expect(check(200, { networks: [] }, { 'bili-secret': '1' })).toEqual(['the header bili-secret is not described']);
  expect(check(418, {})).toEqual([expect.stringContaining('status 418 is not described')]);
  const help = { 'bili-error': 'bill_not_found', link: '<x>' };
  expect(check(404, { error: 'Not found' }, help)).toHaveLength(2);
  expect(check(404, { error: 'Merchant profile not found' }, { ...help, 'bili-error': 'profile_not_found' })).toEqual([]);
});
