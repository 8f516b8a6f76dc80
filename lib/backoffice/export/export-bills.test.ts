import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, test } from 'vitest';
import { ALL_BILLS, type BillFilter } from '@/lib/backoffice/bill-list/bill-query';
import { listBills } from '@/lib/backoffice/bill-list/list-bills';
import { dueAtOfDay } from '@/lib/gateway/bills/bill-info';
import { askInstruments } from '@/lib/gateway/instruments/ask-instruments';
import { listInstruments } from '@/lib/gateway/instruments/store';
import type { MerchantAccess } from '@/lib/identity/accounts/access/grant-access';
import { accessOf, makeMember } from '@/testing/data/access';
import { pay } from '@/testing/data/paying';
import { sheetRows, unzip } from '@/testing/data/read-workbook';
import { testSandbox } from '@/testing/data/sandbox';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { exportBills } from './export-bills';
import { EXPORT_COLUMNS, type ExportOptions, readExportOptions, readSelectedIds, USUAL_COLUMNS } from './export-columns';
import { exportLines } from './export-formats';

setFlagsFromString('--expose-gc');
const runtime = testRuntime();
const sandbox = testSandbox(runtime);
const MANY = 100_000;
let shop: TestMerchant;
let access: MerchantAccess;

const OPTIONS: ExportOptions = { format: 'csv', headings: 'code', columns: EXPORT_COLUMNS, zone: 'eat', separator: 'comma', bom: false };

beforeAll(async () => {
  shop = await makeMerchant(runtime());
  access = await accessOf(runtime(), shop, shop.email);
});

async function open(options: Partial<ExportOptions> = {}, filter: Partial<BillFilter> = {}, by = access, ids?: readonly string[]) {
  const query = { filter: { ...ALL_BILLS, ...filter }, sort: 'newest', size: 25 } as const;
  runtime().advance(1);
  const exported = await exportBills(runtime(), by, { query, options: { ...OPTIONS, ...options }, ids });
  if (!exported.ok) throw new Error(exported.error);
  // Audit entries of the same millisecond have no defined order.
  runtime().advance(1);
  return exported.value;
}

async function bytesOf(pieces: AsyncGenerator<string | Uint8Array, void>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const piece of pieces) all.push(Buffer.from(piece));
  return Buffer.concat(all);
}

const textOf = async (pieces: AsyncGenerator<string | Uint8Array, void>) => (await bytesOf(pieces)).toString();

test('a file contains the bills of the list with their attempts and payments, in the chosen time zone and with the chosen separator', async () => {
  const id = await makeBill(runtime(), shop, { amount: 5000.5, reference: 'Ada; "muhula" 1, 2', mobile: '0744000001' });
  await pay(runtime(), id, 200_000n);
  await makeBill(runtime(), shop, { reference: 'OTHER' });
  const bill = await runtime().db.prisma.bill.findUniqueOrThrow({ where: { id } });
  const text = await textOf(await open({ separator: 'semicolon', bom: true, zone: 'utc' }, { reference: 'Ada' }));
  expect(text.startsWith('\ufeffid;reference;customer_name;description;amount;')).toBe(true);
  const [row, ...others] = parse<Record<string, string>>(text, { bom: true, delimiter: ';', columns: true });
  expect(others).toEqual([]);
  expect(row).toMatchObject({
    id,
    reference: 'Ada; "muhula" 1, 2',
    amount: '5000.50',
    paid_amount: '2000.00',
    remaining_amount: '3000.50',
    status: 'PARTIALLY_PAID',
    mobile: '0744000001',
    created_at_utc: bill.createdAt.toISOString().replace('T', ' ').slice(0, 19),
    paid_at_utc: '',
    networks: 'vodacom',
    failed_prompts: '0',
  });
});

describe('for people', () => {
  const about = {
    reference: 'KODI',
    mobile: '0744000001',
    info: { customerName: '=Asha', description: 'Kodi', dueAt: dueAtOfDay('2026-11-30') },
  };
  let id: string;
  beforeAll(async () => {
    id = await makeBill(runtime(), shop, { amount: 5000, ...about });
    await pay(runtime(), id, 200_000n);
  });

  test('headings and statuses are in their language, and a mobile number has spaces, which keep it a text', async () => {
    const columns = ['reference', 'customer', 'description', 'status', 'due', 'mobile'] as const;
    expect(await textOf(await open({ headings: 'sw', columns }, { reference: 'KODI' }))).toBe(
      "Kumbukumbu,Mteja,Maelezo,Hali,Mwisho wa kulipa,Namba ya simu\r\nKODI,'=Asha,Kodi,Imelipwa sehemu,2026-11-30,0744 000 001\r\n",
    );
    const utc = await textOf(await open({ headings: 'en', zone: 'utc', columns: ['created', 'due'] }, { reference: 'KODI' }));
    expect(utc.split('\r\n')[0]).toBe('Created (UTC),Due date');
    expect(utc).toContain(',2026-11-30\r\n');
  });

  test('a workbook has texts, numbers, dates and a sum', async () => {
    const columns = ['reference', 'customer', 'amount', 'paid', 'remaining', 'due', 'mobile', 'receipts'] as const;
    const archive = await bytesOf(await open({ format: 'xlsx', headings: 'en', columns }, { reference: 'KODI' }));
    const [{ receipt } = { receipt: '' }] = await runtime().db.query<{ receipt: string }>(
      {
        text: 'SELECT p.provider_transaction_id AS receipt FROM payment p JOIN payment_allocation a ON a.payment_id = p.id WHERE a.bill_id = $1',
      },
      [id],
    );
    expect(sheetRows(unzip(archive).get('xl/worksheets/sheet1.xml') ?? '')).toEqual([
      ['"Reference"', '"Customer"', '"Amount"', '"Paid amount"', '"Remaining"', '"Due date"', '"Mobile number"', '"Receipt numbers"'],
      ['"KODI"', '"=Asha"', '5000.00', '2000.00', '3000.00', '46356', '"0744 000 001"', JSON.stringify(receipt)],
      ['"Total"', '', '=SUBTOTAL(9,C2:C2) 5000.00', '=SUBTOTAL(9,D2:D2) 2000.00', '=SUBTOTAL(9,E2:E2) 3000.00', '', '', ''],
    ]);
  });
});

test('the number with which a customer can pay is exported as long as it can be paid', async () => {
  const id = await makeBill(runtime(), shop, { amount: 5000, reference: 'WAYS' });
  const columns = ['number', 'numberExpires'] as const;
  const row = async () => (await textOf(await open({ columns, zone: 'utc' }, { reference: 'WAYS' }))).split('\r\n');
  expect(await row()).toEqual(['payment_number,payment_number_expires_at_utc', ',', '']);
  await askInstruments(runtime(), id, 'test');
  await sandbox.step();
  const [instrument] = await listInstruments(runtime().db, id);
  const expires = instrument?.expiresAt?.toISOString().replace('T', ' ').slice(0, 19);
  expect((await row())[1]).toBe(`${instrument?.number},${expires}`);
  const forPeople = await textOf(await open({ columns: ['number'], headings: 'sw' }, { reference: 'WAYS' }));
  expect(forPeople.split('\r\n')[1]).toBe(`${instrument?.number?.slice(0, 4)} ${instrument?.number?.slice(4)}`);
  await pay(runtime(), id, 200_000n);
  expect((await row())[1]).toBe(',');
});

test('the selected bills are exported, newest first, and bills that the member may not see are not', async () => {
  const other = await makeBill(runtime(), await makeMerchant(runtime(), 'Other'), { reference: 'FOREIGN' });
  const first = await makeBill(runtime(), shop, { reference: 'SELECTED-1' });
  runtime().advance(1);
  const second = await makeBill(runtime(), shop, { reference: 'SELECTED-2' });
  const pieces = await open({ columns: ['reference'] }, {}, access, [first, other, second]);
  expect(await textOf(pieces)).toBe('reference\r\nSELECTED-2\r\nSELECTED-1\r\n');
  const entries = await runtime().db.prisma.auditEntry.findMany({
    where: { action: 'bills.exported', merchantId: shop.merchant.id },
    orderBy: { id: 'desc' },
    take: 1,
  });
  expect(entries).toMatchObject([{ data: { filter: 'selected=3', rows: 2, complete: true } }]);
});

test('the ids of selected bills are parsed', () => {
  const id = '018f2b1c-0000-7000-8000-000000000000';
  const read = (ids: string) => readSelectedIds(new URLSearchParams({ ids }));
  expect(readSelectedIds(new URLSearchParams())).toBeUndefined();
  expect(read(`${id},${id}`)).toEqual([id, id]);
  expect([read(''), read('x'), read(`${id},`), read(Array(201).fill(id).join())]).toEqual([null, null, null, null]);
});

test.each([
  ['=1+1', "'=1+1"],
  ['INV-1;=1+1', "INV-1;'=1+1"],
  ['INV-1, @a', "INV-1, '@a"],
  ['A;B, C', 'A;B, C'],
])('%j is never exported as a formula, with any separator', async (reference, safe) => {
  const listed = await listBills(runtime(), access, { filter: ALL_BILLS, sort: 'newest', size: 25, page: null });
  const [bill] = listed.ok ? listed.value.bills : [];
  if (!bill) throw new Error('there is a bill');
  for (const [separator, delimiter] of [
    ['comma', ','],
    ['semicolon', ';'],
    ['tab', '\t'],
  ] as const) {
    const options = { ...OPTIONS, columns: ['reference'], separator } as const;
    const none = { networks: [], receipts: [], failed: 0, number: null, numberExpiresAt: null };
    expect(parse(exportLines([{ ...bill, reference, ...none }], options), { delimiter })).toEqual([[safe]]);
  }
});

test('the audit log contains who exported what and how many rows, also for an interrupted file', async () => {
  const entries = () =>
    runtime().db.prisma.auditEntry.findMany({
      where: { action: { startsWith: 'bills.' }, merchantId: shop.merchant.id },
      orderBy: { id: 'desc' },
      take: 2,
    });
  await textOf(await open({ columns: ['id'] }, { reference: 'OTHER' }));
  const about = { filter: 'reference=OTHER', columns: 'id', format: 'csv' };
  expect(await entries()).toMatchObject([
    { action: 'bills.exported', actor: `user:${shop.email}`, address: '192.0.2.1', data: { ...about, rows: 1, complete: true } },
    { action: 'bills.export_started', data: about },
  ]);
  const pieces = await open({ columns: ['id'] });
  await pieces.next();
  await pieces.return();
  expect(await entries()).toMatchObject([
    { action: 'bills.exported', data: { rows: 0, complete: false } },
    { action: 'bills.export_started' },
  ]);
});

test.each([
  ['is removed', 'DELETE FROM membership WHERE user_id = $1'],
  ['becomes a collector', "UPDATE membership SET role = 'collector' WHERE user_id = $1"],
  ['is signed out', 'UPDATE session SET revoked_at = now() WHERE user_id = $1'],
])('the export of a member who %s meanwhile is interrupted', async (_, text) => {
  const viewer = await accessOf(runtime(), shop, await makeMember(runtime(), shop, 'viewer'));
  const pieces = await open({ columns: ['id'] }, {}, viewer);
  await pieces.next();
  await runtime().db.query({ text }, [viewer.user.id]);
  await expect(textOf(pieces)).rejects.toThrow('lost the permission');
});

test('a collector may not export bills', async () => {
  const collector = await accessOf(runtime(), shop, await makeMember(runtime(), shop, 'collector'));
  await expect(open({}, {}, collector)).rejects.toThrow('not_allowed');
});

test.each([
  ['', { format: 'csv', headings: 'sw', columns: USUAL_COLUMNS, zone: 'eat', separator: 'comma', bom: false }],
  [
    'format=xlsx&headings=code&column=status&column=id&zone=utc&separator=tab&bom=1',
    { format: 'xlsx', headings: 'code', columns: ['id', 'status'], zone: 'utc', separator: 'tab', bom: true },
  ],
  ['format=pdf', null],
  ['headings=fr', null],
  ['column=password', null],
  ['zone=mars', null],
  ['separator=x', null],
])('the options %j are parsed', (text, options) => {
  const read = readExportOptions(new URLSearchParams(text), 'sw');
  if (options === null) expect(read).toBeNull();
  else expect(read).toMatchObject(options);
});

describe(`with ${MANY} bills`, { tags: ['full'] }, () => {
  beforeAll(async () => {
    // These bills have no payments, attempts or events, so no other table needs rows.
    await runtime().db.query(
      {
        text: `INSERT INTO bill (id, merchant_id, environment, amount, reference, created_at)
               SELECT (lpad(to_hex(1790000000000 + n), 12, '0') || '7000a000000000000000')::uuid, $1, 'sandbox', 500000, 'MANY-' || n, now() FROM generate_series(1, $2) n`,
      },
      [shop.merchant.id, MANY],
    );
  });

  test('the file contains the whole list, and memory use stays constant', async () => {
    let [rows, pieces, most] = [-1, 0, 0];
    const seen = new Set<string>();
    const collect: () => void = runInNewContext('gc');
    const heldNow = () => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    const before = heldNow();
    for await (const piece of await open({ columns: ['id', 'reference'] })) {
      for (const line of String(piece).split('\r\n').slice(0, -1)) {
        rows += 1;
        if (rows % 1_000 === 0) seen.add(line.slice(0, 36));
      }
      pieces += 1;
      if (pieces % 40 === 0) most = Math.max(most, heldNow() - before);
    }
    const [{ count } = { count: 0 }] = await runtime().db.query<{ count: number }>(
      { text: 'SELECT count(*)::int AS count FROM bill WHERE merchant_id = $1' },
      [shop.merchant.id],
    );
    expect(rows).toBe(count);
    expect(seen.size).toBe(Math.floor(count / 1_000) + 1);
    // After a garbage collection, only a few batches are still in memory. All rows together would take about 50 MB.
    expect(most).toBeLessThan(15_000_000);
  });
});
