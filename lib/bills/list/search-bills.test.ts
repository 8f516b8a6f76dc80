import { beforeAll, expect, test } from 'vitest';
import type { MerchantAccess } from '@/lib/accounts/access/grant-access';
import { accessOf, makeMember } from '@/lib/testing/data/access';
import { pay } from '@/lib/testing/data/paying';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/lib/testing/runtime';
import { searchBills } from './search-bills';

const runtime = testRuntime();
let shop: TestMerchant;
let owner: MerchantAccess;
let stranger: MerchantAccess;
let collector: MerchantAccess;
let bill: string;
let receipt: string;
let paymentReference: string;

beforeAll(async () => {
  shop = await makeMerchant(runtime());
  const neighbour = await makeMerchant(runtime(), 'Jirani');
  owner = await accessOf(runtime(), shop, shop.email);
  stranger = await accessOf(runtime(), neighbour, neighbour.email);
  collector = await accessOf(runtime(), shop, await makeMember(runtime(), shop, 'collector'));
  bill = await makeBill(runtime(), shop, { reference: 'ORDER-77', mobile: '0744000001' });
  await makeBill(runtime(), shop, { reference: 'ORDER-770', mobile: '0744000002' });
  await makeBill(runtime(), shop, { reference: 'ORDER-778', mobile: '0744000002' });
  await makeBill(runtime(), neighbour, { reference: 'ORDER-779' });
  await pay(runtime(), bill, 100n);
  const [row] = await runtime().db.query<{ receipt: string; ours: string }>(
    {
      text: 'SELECT p.provider_transaction_id AS receipt, a.our_reference AS ours FROM payment p, push_attempt a WHERE a.bill_id = $1',
    },
    [bill],
  );
  receipt = row?.receipt ?? '';
  paymentReference = row?.ours ?? '';
});

async function search(text: string, by = owner) {
  const found = await searchBills(runtime(), by, text);
  if (!found.ok) throw new Error(found.error);
  const { exact, groups } = found.value;
  return { exact: exact?.id ?? null, groups: groups.map(({ kind, bills }) => [kind, bills.map(({ reference }) => reference)]) };
}

const anyName = (): [string, string][] => [
  ['id', bill],
  ['reference', 'ORDER-77'],
  ['our payment reference', paymentReference.toLowerCase()],
  ['receipt', receipt],
  ['mobile', '+255 744 000 001'],
];

test('a single exact match is returned as the bill, for every kind of value', async () => {
  for (const [name, text] of anyName()) expect({ name, ...(await search(` ${text} `)) }).toEqual({ name, exact: bill, groups: [] });
});

test('prefix matches come after exact matches', async () => {
  expect(await search('ORDER')).toEqual({ exact: null, groups: [['prefix', ['ORDER-778', 'ORDER-770', 'ORDER-77']]] });
  expect(await search('order-77')).toMatchObject({ groups: [['prefix', ['ORDER-778', 'ORDER-770', 'ORDER-77']]] });
  await makeBill(runtime(), shop, { reference: 'Mchele kilo 2' });
  expect(await search('mchele')).toMatchObject({ groups: [['prefix', ['Mchele kilo 2']]] });
  expect(await search('0744000002')).toEqual({ exact: null, groups: [['mobile', ['ORDER-778', 'ORDER-770']]] });
  await makeBill(runtime(), shop, { reference: 'ORDER-770' });
  expect(await search('ORDER-770')).toEqual({ exact: null, groups: [['reference', ['ORDER-770', 'ORDER-770']]] });
});

test('bills of another merchant, environment or collector are not found', async () => {
  const live = await accessOf(runtime(), shop, shop.email, 'live');
  for (const [name, text] of [...anyName(), ['prefix', 'ORDER-7'] as const]) {
    const nothing = { name, exact: null, groups: [] };
    expect({ name, ...(await search(text, live)) }).toEqual(nothing);
    expect({ name, ...(await search(text, collector)) }).toEqual(nothing);
    if (name !== 'prefix') expect({ name, ...(await search(text, stranger)) }).toMatchObject({ exact: null });
  }
  expect(await search('ORDER-7', stranger)).toEqual({ exact: null, groups: [['prefix', ['ORDER-779']]] });
  await runtime().db.query({ text: 'UPDATE bill SET created_by_id = $1 WHERE id = $2' }, [collector.user.id, bill]);
  expect(await search(receipt, collector)).toMatchObject({ exact: bill });
});

test.each(['', ' ', '%', '_', '\\', 'a\u0000b', 'x'.repeat(10_000), '\ud800', "'; DROP TABLE bill; --"])(
  'the search for %j finds nothing and does not fail',
  async (text) => {
    expect(await search(text)).toEqual({ exact: null, groups: [] });
  },
);
