import { beforeAll, expect, test } from 'vitest';
import { requestPrompt } from '@/lib/gateway/prompts/request-prompt';
import { keyAccess } from '@/lib/identity/accounts/access/grant-access';
import { newBill } from '@/testing/data/new-bill';
import { changeStatus, pay } from '@/testing/data/paying';
import { testListener } from '@/testing/fakes/listener';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { billsQuerySchema, listMerchantBills } from './list-merchant-bills';

const runtime = testRuntime();
const origin = testListener(runtime);
let merchant: TestMerchant;
let authorization: string;

beforeAll(async () => {
  merchant = await makeMerchant(runtime());
  const { id, secret } = await merchant.key('sandbox');
  authorization = `ApiKey ${id}:${secret}`;
});

async function call(path: string, status = 200) {
  const response = await fetch(`${origin()}/api/v3${path}`, { headers: { authorization } });
  const text = await response.text();
  expect(response.status, text).toBe(status);
  return { text, json: JSON.parse(text), ignored: response.headers.get('bili-ignored') };
}

interface Listed {
  readonly bills: readonly { readonly id: string }[];
  readonly cursor: string | null;
  readonly more: boolean;
}
async function list(query = ''): Promise<Listed> {
  return (await call(`/bills${query}`)).json;
}
const idsOf = ({ bills }: Listed) => bills.map(({ id }) => id);

test('the list has every bill once, newest first, as reading it returns it', async () => {
  const own = await makeMerchant(runtime());
  const { id: key, secret } = await own.key('sandbox');
  const ids: string[] = [];
  for (let index = 0; index < 5; index += 1) {
    // Ids of the same millisecond have no defined order.
    runtime().advance(2);
    ids.unshift(await makeBill(runtime(), own, { reference: `R${index}` }));
  }
  await makeBill(runtime(), own, { environment: 'live' });
  await makeBill(runtime(), merchant);
  const read = async (path: string) => {
    const response = await fetch(`${origin()}/api/v3${path}`, { headers: { authorization: `ApiKey ${key}:${secret}` } });
    return response.text();
  };
  const found: string[] = [];
  let query = '?limit=2';
  for (let pages = 0; query !== '' && pages < 9; pages += 1) {
    const page: Listed = JSON.parse(await read(`/bills${query}`));
    expect(page.more).toBe(page.cursor !== null);
    found.push(...idsOf(page));
    query = page.cursor === null ? '' : `?limit=2&after=${page.cursor}`;
  }
  expect(found).toEqual(ids);
  expect(await read('/bills?limit=1')).toContain(`{"bills":[${await read(`/bills/${ids[0]}`)}],`);
});

test('bills are filtered by status, exact reference and time of creation', async () => {
  const before = runtime().clock().getTime();
  runtime().advance(5);
  const first = await makeBill(runtime(), merchant, { reference: 'SO-1' });
  const longer = await makeBill(runtime(), merchant, { reference: 'SO-12' });
  const wildcard = await makeBill(runtime(), merchant, { reference: 'SO-1%' });
  await pay(runtime(), longer, 500_100n);
  expect(idsOf(await list('?reference=SO-1'))).toEqual([first]);
  expect(idsOf(await list('?reference=SO-1%25'))).toEqual([wildcard]);
  expect(idsOf(await list('?reference=SO'))).toEqual([]);
  expect(idsOf(await list(`?status=FULLY_PAID&from=${before}`))).toEqual([longer]);
  expect(idsOf(await list('?reference=SO-12&status=NOT_PAID'))).toEqual([]);
  const { json } = await call(`/bills/${longer}`);
  expect(idsOf(await list(`?from=${json.date}&reference=SO-12`))).toEqual([longer]);
  expect(idsOf(await list(`?to=${json.date}&reference=SO-12`))).toEqual([]);
});

test('bills are filtered by number and by metadata', async () => {
  const create = async (body: object) => {
    runtime().advance(2);
    const response = await fetch(`${origin()}/api/v3/bills/create`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ amount: 500, ...body }),
    });
    return (await response.json()).id;
  };
  const one = await create({ reference: 'M-1', mobile: '0712345001', metadata: { order_id: '17', 'a b': 'x' } });
  const other = await create({ reference: 'M-2', mobile: '0712345001', metadata: { order_id: '17' } });
  const third = await create({ reference: 'M-3', mobile: '0754345001', metadata: { order_id: '18' } });
  expect(idsOf(await list('?mobile=0712345001'))).toEqual([other, one]);
  expect(idsOf(await list('?mobile=%2B255754345001'))).toEqual([third]);
  expect(idsOf(await list('?mobile=0712345001&reference=M-1'))).toEqual([one]);
  expect(idsOf(await list('?metadata[order_id]=17'))).toEqual([other, one]);
  expect(idsOf(await list('?metadata%5Border_id%5D=17&metadata[a%20b]=x'))).toEqual([one]);
  expect(idsOf(await list('?metadata[order_id]=17&metadata[order_id]=18'))).toEqual([other, one]);
  expect(idsOf(await list('?metadata[order_id]=17&mobile=0754345001'))).toEqual([]);
  expect(idsOf(await list('?metadata[order_id]=1'))).toEqual([]);
  expect(idsOf(await list('?metadata[order_id]=17%00'))).toEqual([]);
  expect(idsOf(await list('?metadata[order_id]=17&limit=1'))).toEqual([other]);
});

test('query parameters that a route does not know are named in Bili-Ignored', async () => {
  const { id } = (await call('/bills?limit=1')).json.bills[0];
  for (const [path, ignored] of [
    ['/bills?ref=ORDER-1&limit=1', 'ref'],
    ['/bills?Reference=A&page=2&page=3&starting_after=x', 'Reference, page, starting_after'],
    ['/bills?metadata=17&metadata[]=1&reference[a]=b', 'metadata, metadata??, reference?a?'],
    [`/bills/${id}?expand=payments`, 'expand'],
    ['/events?limit=1&starting_after=x', 'starting_after'],
    ['/networks?a', 'a'],
    ['/bills?metadata[__proto__]=17', 'metadata?__proto__?'],
    ['/bills?limit=1', null],
  ] as const)
    expect((await call(path)).ignored, path).toBe(ignored);
  expect((await call('/bills?limit=0&ref=A', 400)).ignored).toBe('ref');
  const closed = await fetch(`${origin()}/api/v3/bills/validate?dry=1`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: '{"amount":500,"reference":"A","phone":"0712345678"}',
  });
  expect(closed.headers.get('bili-ignored')).toBe('dry, phone');
});

test('a request reads a limited number of bills, and the cursor continues behind them', async () => {
  const own = await makeMerchant(runtime());
  const access = keyAccess({ id: (await own.key('sandbox')).id, scopes: ['read'] }, own.scope('sandbox'));
  const ids: string[] = [];
  for (let index = 0; index < 7; index += 1) {
    runtime().advance(2);
    ids.unshift(await makeBill(runtime(), own, { reference: index % 3 === 0 ? 'WANTED' : 'OTHER' }));
  }
  await runtime().db.query({ text: `UPDATE bill SET metadata = '{"a":"b"}' WHERE merchant_id = $1 AND reference = 'WANTED'` }, [
    own.merchant.id,
  ]);
  const pages: (readonly string[])[] = [];
  let after: string | null = '';
  while (after !== null && pages.length < 9) {
    const query = billsQuerySchema.parse({ metadata: { a: 'b' }, limit: '5', ...(after !== '' && { after }) });
    const page = await listMerchantBills(runtime(), access, query, 2);
    if (!page.ok) throw new Error(page.error);
    pages.push(page.value.bills.map(({ id }) => id));
    after = page.value.cursor;
  }
  expect(pages).toEqual([[ids[0]], [ids[3]], [], [ids[6]]]);
});

test.each([
  ['?mobile=', 'mobile must be a Tanzanian mobile number, for example 0712345678'],
  ['?mobile=123', 'mobile must be a Tanzanian mobile number, for example 0712345678'],
  ['?status=PAID', 'status must be NOT_PAID, PARTIALLY_PAID or FULLY_PAID'],
  ['?reference=', 'reference is required'],
  ['?reference=a%00b', 'reference must not contain control characters'],
  ['?from=2026-11-30', 'from must be a time in Unix milliseconds'],
  ['?to=9999999999999999', 'to must be a time in Unix milliseconds'],
  ['?after=17', 'after must be a cursor that an earlier answer gave'],
  ['?limit=501', 'limit must be a whole number from 1 to 500'],
])('the list refuses %s', async (query, message) => {
  expect((await call(`/bills${query}`, 400)).json).toEqual({ error: message });
});

test('the payments of a bill are its ledger entries, with reversals', async () => {
  const id = await makeBill(runtime(), merchant);
  expect((await call(`/bills/${id}/payments`)).text).toBe('{"payments":[]}');
  await pay(runtime(), id, 500_100n);
  await pay(runtime(), id, -500_100n);
  const { json, text } = await call(`/bills/${id}/payments`);
  expect(json.payments).toMatchObject([
    { kind: 'payment', amount: 5001 },
    { kind: 'reversal', amount: -5001 },
  ]);
  expect(text).toContain('"amount":5001.0,');
});

test('the payment requests of a bill name only numbers that the merchant chose', async () => {
  const id = await makeBill(runtime(), merchant, { mobile: '0712345678', amount: 100 });
  const [mobile] = [newBill(runtime(), { amount: 1, reference: 'A', mobile: '0754000001' }).mobile];
  if (mobile === null) throw new Error('the number is valid');
  await pay(runtime(), id, 1n);
  const { json } = await call(`/bills/${id}/attempts`);
  expect(json.attempts).toMatchObject([
    { state: 'PENDING', reason: null, mobile: '0712345678', source: 'api', amount: 100, network: 'yas' },
  ]);
  const other = await makeBill(runtime(), merchant);
  expect(await requestPrompt(runtime(), { environment: 'sandbox', billId: other, mobile })).toMatchObject({ kind: 'requested' });
  const { json: page, text } = await call(`/bills/${other}/attempts`);
  expect(page.attempts).toMatchObject([{ state: 'PENDING', mobile: null, source: 'payment_page', network: 'vodacom' }]);
  expect(text).not.toContain('54000001');
});

test('the events of a bill are those of the feed, byte for byte', async () => {
  const id = await makeBill(runtime(), merchant);
  expect((await call(`/bills/${id}/events`)).text).toBe('{"events":[]}');
  await changeStatus(runtime(), id, 3);
  const { json } = await call(`/bills/${id}/events`);
  const feed = (await call('/events?limit=500')).json;
  const own = feed.events.filter(({ body }: { body: { bill: { id: string } } }) => body.bill.id === id);
  expect(own).toHaveLength(3);
  expect(json.events).toEqual(own);
});

test.each(['payments', 'attempts', 'events'])('the %s of a bill that the key may not read do not exist', async (kind) => {
  const other = await makeBill(runtime(), await makeMerchant(runtime()), { mobile: '0712345678' });
  const live = await makeBill(runtime(), merchant, { environment: 'live' });
  for (const id of [other, live, 'x']) {
    expect((await call(`/bills/${id}/${kind}`, 404)).json).toEqual({ error: `Bill with id ${id} not found` });
  }
});
