import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { findBillByLink } from '@/lib/gateway/bills/linked-bill';
import { makeShortLink } from '@/lib/gateway/bills/short-links';
import { showReceipt } from '@/lib/gateway/receipts/show-receipt';
import type { MerchantAccess } from '@/lib/identity/accounts/access/grant-access';
import { MINUTE_MS } from '@/lib/platform/core/clock';
import { newId } from '@/lib/platform/core/ids';
import { accessOf, makeMember } from '@/testing/data/access';
import { pay } from '@/testing/data/paying';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { indexSearch } from './index-search';
import { searchBills } from './search-bills';

const runtime = testRuntime();
let shop: TestMerchant;
let owner: MerchantAccess;
let stranger: MerchantAccess;
let collector: MerchantAccess;
let bill: string;
let receipt: string;
let code: string;
let paymentReference: string;

/** Lets a worker write the search entries of all rows. */
async function index(): Promise<void> {
  const clock = () => new Date(runtime().clock().getTime() + MINUTE_MS);
  while (await indexSearch({ ...runtime(), clock }));
}

beforeAll(async () => {
  shop = await makeMerchant(runtime());
  const neighbour = await makeMerchant(runtime(), 'Jirani');
  owner = await accessOf(runtime(), shop, shop.email);
  stranger = await accessOf(runtime(), neighbour, neighbour.email);
  collector = await accessOf(runtime(), shop, await makeMember(runtime(), shop, 'collector'));
  bill = await makeBill(runtime(), shop, { reference: 'ORD-BKSU-0002998', mobile: '0744000001', amount: 48_500 });
  await makeBill(runtime(), shop, { reference: 'Kodi ya Novemba – Ásha', mobile: '0754345012', amount: 7_000.5 });
  await makeBill(runtime(), shop, { reference: 'ORD-BKSU-0003000', mobile: '0744000012', amount: 48_500 });
  await makeBill(runtime(), neighbour, { reference: 'ORD-BKSU-0002998', mobile: '0744000001', amount: 48_500 });
  await runtime().db.query({ text: "UPDATE bill SET customer_name = 'Neema Mushi' WHERE id = $1" }, [bill]);
  await pay(runtime(), bill, 4_850_000n);
  const [row] = await runtime().db.query<{ receipt: string; ours: string }>(
    {
      text: 'SELECT p.provider_transaction_id AS receipt, a.our_reference AS ours FROM payment p, push_attempt a WHERE a.bill_id = $1',
    },
    [bill],
  );
  await runtime().db.query(
    {
      text: `INSERT INTO instrument (id, merchant_id, environment, bill_id, provider_account_id, kind, amount, our_reference, state, number,
               end_reason, created_at, issued_at, ended_at)
             SELECT gen_random_uuid(), merchant_id, environment, id, (SELECT id FROM provider_account WHERE environment = b.environment LIMIT 1),
               'order', 4850000, CASE id WHEN $1::uuid THEN repeat('N', 20) ELSE repeat('M', 20) END, 'ENDED', '60041733', 'paid', now(), now(), now()
             FROM bill b WHERE reference = 'ORD-BKSU-0002998'`,
    },
    [bill],
  );
  receipt = row?.receipt ?? '';
  paymentReference = row?.ours ?? '';
  const paid = await findBillByLink(runtime().db, 'sandbox', bill);
  code = (paid && (await showReceipt(runtime(), paid))?.code) ?? '';
});

async function search(typed: string, by = owner) {
  const found = await searchBills(runtime(), by, { typed, shown: 5 });
  if (!found.ok) throw new Error(found.error);
  const { exact, groups, slow } = found.value;
  expect(slow).toBe(false);
  const marked = (value: string, mark: { from: number; to: number } | null) => (mark ? value.slice(mark.from, mark.to) : null);
  return {
    exact: exact?.id ?? null,
    groups: groups.map(({ kind, matches }) => [kind, ...matches.map((one) => [one.bill.reference, marked(one.value, one.mark)])]),
  };
}

const exactTexts = (): [string, string][] => [
  ['id', bill],
  ['payment', paymentReference.toLowerCase()],
  ['receipt', receipt],
  ['receipt', receipt.toLowerCase()],
  ['code', code],
  ['code', code.toLowerCase().replaceAll('-', ' ')],
  ['mobile', '+255 744 000 001'],
  ['number', '6004 1733'],
  ['payment', 'n'.repeat(20)],
];

test('a complete value leads to its bill', async () => {
  for (const [kind, text] of exactTexts()) {
    const { exact, groups } = await search(` ${text} `);
    expect({ text, exact, kind: groups[0]?.[0] }).toEqual({ text, exact: bill, kind });
  }
  expect(await search('ORD-BKSU-0002998')).toMatchObject({
    exact: bill,
    groups: [['reference', ['ORD-BKSU-0002998', 'ORD-BKSU-0002998']]],
  });
});

const FRAGMENTS: readonly (readonly [typed: string, kind: string, marked: string | null, reference: string])[] = [
  ['2998', 'reference', '2998', 'ORD-BKSU-0002998'],
  ['bksu 0002', 'reference', 'BKSU-0002', 'ORD-BKSU-0002998'],
  ['ya nov', 'reference', 'ya Nov', 'Kodi ya Novemba – Ásha'],
  ['asha', 'reference', 'Ásha', 'Kodi ya Novemba – Ásha'],
  ['0001', 'mobile', '0001', 'ORD-BKSU-0002998'],
  ['345012', 'mobile', '345012', 'Kodi ya Novemba – Ásha'],
  ['0754', 'mobile', '0754', 'Kodi ya Novemba – Ásha'],
  ['+255 754 3', 'mobile', '07543', 'Kodi ya Novemba – Ásha'],
  ['ema mu', 'customer', 'ema Mu', 'ORD-BKSU-0002998'],
  ['7,000.50', 'amount', null, 'Kodi ya Novemba – Ásha'],
];

async function expectFragments(): Promise<void> {
  for (const [typed, kind, marked, reference] of FRAGMENTS) {
    const { groups } = await search(typed);
    expect({ typed, group: groups.find(([one]) => one === kind) }).toEqual({ typed, group: [kind, [reference, marked]] });
  }
  for (const typed of ['48500', '48,500', '48,500/=']) {
    expect(await search(typed)).toEqual({
      exact: null,
      groups: [['amount', ['ORD-BKSU-0003000', null], ['ORD-BKSU-0002998', null]]],
    });
  }
}

test('a part of a value leads to its bills, at once and after a worker has written the search entries', async () => {
  expect(await runtime().db.query({ text: 'SELECT id FROM search_entry' })).toEqual([]);
  await expectFragments();
  await index();
  expect(await runtime().db.query({ text: 'SELECT id FROM search_entry' })).toHaveLength(5);
  await expectFragments();
  const middle = receipt.slice(2, -2);
  expect((await search(middle.toLowerCase())).groups).toContainEqual(['receipt', ['ORD-BKSU-0002998', middle]]);
  expect((await search(code.slice(0, 7).toLowerCase())).groups).toEqual([['code', ['ORD-BKSU-0002998', code.slice(0, 7)]]]);
});

test('numbers of other attempts and payments lead to the bill', async () => {
  await runtime().db.query(
    {
      text: `INSERT INTO push_attempt (id, merchant_id, environment, bill_id, source, mobile, network, amount, our_reference, state, failure_reason, settled_at, created_at)
             SELECT $2, merchant_id, environment, id, 'web', '0699887766', 'airtel', 100, 'ABCDEFGHJKLMNPQRSTUV', 'FAILED', 'declined', now(), now() FROM bill WHERE id = $1`,
    },
    [bill, newId(runtime())],
  );
  await runtime().db.query({ text: "UPDATE search_source SET read_to = '00000000-0000-0000-0000-000000000000'" });
  await index();
  expect((await search('7766')).groups).toEqual([['mobile', ['ORD-BKSU-0002998', '7766']]]);
});

test('one or two characters lead to references that begin with them', async () => {
  await makeBill(runtime(), shop, { reference: 'Mchele kilo 2' });
  await makeBill(runtime(), shop, { reference: '#7' });
  expect((await search('mc')).groups).toEqual([['reference', ['Mchele kilo 2', 'Mc']]]);
  expect((await search('#7')).groups).toEqual([['reference', ['#7', '7']]]);
  expect((await search('ch')).groups).toEqual([]);
});

test('bills of another merchant, environment or collector are not found', async () => {
  await index();
  const live = await accessOf(runtime(), shop, shop.email, 'live');
  const typed = [
    ...exactTexts().map(([, text]) => text),
    ...FRAGMENTS.map(([text]) => text),
    receipt.slice(1, -1),
    code.slice(0, 6),
    'ord',
  ];
  for (const text of typed) {
    for (const by of [live, collector]) expect({ text, ...(await search(text, by)) }).toEqual({ text, exact: null, groups: [] });
    const found = await searchBills(runtime(), stranger, { typed: text, shown: 5 });
    const ids = found.ok ? found.value.groups.flatMap(({ matches }) => matches.map((match) => match.bill.merchantId)) : null;
    expect(ids?.filter((id) => id !== stranger.scope.merchantId)).toEqual([]);
  }
});

test('a collector finds the bills that they created, by any part', async () => {
  await runtime().db.query({ text: 'UPDATE bill SET created_by_id = $1 WHERE id = $2' }, [collector.user.id, bill]);
  await runtime().db.query({ text: 'DELETE FROM search_entry' });
  await runtime().db.query({ text: "UPDATE search_source SET read_to = '00000000-0000-0000-0000-000000000000'" });
  for (const indexed of [false, true]) {
    if (indexed) await index();
    for (const typed of ['2998', '0001', '48500', ...(indexed ? [receipt.slice(1)] : [])]) {
      const { groups } = await search(typed, collector);
      expect({ typed, found: groups.flatMap(([, ...matches]) => matches.map(([reference]) => reference)) }).toMatchObject({
        typed,
        found: expect.arrayContaining(['ORD-BKSU-0002998']),
      });
      expect(groups.flatMap(([, ...matches]) => matches.map(([reference]) => reference))).not.toContain('ORD-BKSU-0003000');
    }
  }
});

test.each(['', ' ', '%', '_', '\\', '%%%', 'a\u0000b', 'x'.repeat(10_000), '\ud800', "'; DROP TABLE bill; --", '{1,2}', '"\\'])(
  'the search for %j finds nothing and does not fail',
  async (text) => {
    expect(await search(text)).toEqual({ exact: null, groups: [] });
  },
);

test('no text makes a search fail', async () => {
  const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), fc.string({ unit: fc.constantFrom(...'0123456789+-, /=.TSZ%_') }));
  await fc.assert(
    fc.asyncProperty(text, async (typed) => {
      expect(await searchBills(runtime(), owner, { typed, shown: 3 })).toMatchObject({ ok: true, value: { slow: false } });
    }),
    { numRuns: 60 },
  );
});

test('a bill is found by its pasted links and codes, with the punctuation around them', async () => {
  const shown = await findBillByLink(runtime().db, 'sandbox', bill);
  if (!shown) throw new Error('the bill is missing');
  const short = await makeShortLink(runtime(), shown);
  const linkCode = short.slice(-12);
  const page = `https://pay.example/pay?bill=${bill}&lang=sw`;
  const typed = [
    page,
    `${page}.`,
    `*${short}*`,
    `${short}/`,
    linkCode,
    `(${linkCode})`,
    `${bill}.`,
    `https://pay.example/verify?code=${code}`,
    `${code}.`,
  ];
  for (const text of typed) expect([text, (await search(text)).exact]).toEqual([text, bill]);
  for (const text of [page, short, linkCode]) expect((await search(text, stranger)).groups).toEqual([]);
});
