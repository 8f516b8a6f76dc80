import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, test } from 'vitest';
import type { MerchantAccess } from '@/lib/accounts/access/grant-access';
import { ALL_BILLS, type BillFilter } from '@/lib/bills/list/filter';
import { listBills } from '@/lib/bills/list/list-bills';
import { accessOf, makeMember } from '@/lib/testing/data/access';
import { pay } from '@/lib/testing/data/paying';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/lib/testing/runtime';
import { exportBills } from './export-bills';
import { EXPORT_COLUMNS, type ExportOptions, readExportOptions } from './export-columns';
import { exportLines } from './export-lines';

setFlagsFromString('--expose-gc');
const runtime = testRuntime();
const MANY = 200_000;
let shop: TestMerchant;
let access: MerchantAccess;

const OPTIONS: ExportOptions = { columns: EXPORT_COLUMNS, zone: 'eat', separator: 'comma', bom: false };

beforeAll(async () => {
  shop = await makeMerchant(runtime());
  access = await accessOf(runtime(), shop, shop.email);
});

async function open(options: Partial<ExportOptions> = {}, filter: Partial<BillFilter> = {}, by = access) {
  const query = { filter: { ...ALL_BILLS, ...filter }, sort: 'newest', size: 25 } as const;
  runtime().advance(1);
  const exported = await exportBills(runtime(), by, { query, options: { ...OPTIONS, ...options } });
  if (!exported.ok) throw new Error(exported.error);
  // Audit entries of the same millisecond have no defined order.
  runtime().advance(1);
  return exported.value;
}

async function textOf(pieces: AsyncGenerator<string, void>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

test('a file contains the bills of the list with their attempts and payments, in the chosen time zone and with the chosen separator', async () => {
  const id = await makeBill(runtime(), shop, { amount: 5000.5, reference: 'Ada; "muhula" 1, 2', mobile: '0744000001' });
  await pay(runtime(), id, 200_000n);
  await makeBill(runtime(), shop, { reference: 'OTHER' });
  const bill = await runtime().db.prisma.bill.findUniqueOrThrow({ where: { id } });
  const text = await textOf(await open({ separator: 'semicolon', bom: true, zone: 'utc' }, { reference: 'Ada' }));
  expect(text.startsWith('\ufeffid;reference;amount;')).toBe(true);
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
    expect(parse(exportLines([{ ...bill, reference, networks: [], receipts: [], failed: 0 }], options), { delimiter })).toEqual([[safe]]);
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
  const about = { filter: 'reference=OTHER', columns: 'id' };
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
  ['', { zone: 'eat', separator: 'comma', bom: false }],
  ['column=status&column=id&zone=utc&separator=tab&bom=1', { columns: ['id', 'status'], zone: 'utc', separator: 'tab', bom: true }],
  ['column=password', null],
  ['zone=mars', null],
  ['separator=x', null],
])('the options %j are parsed', (text, options) => {
  const read = readExportOptions(new URLSearchParams(text));
  if (options === null) expect(read).toBeNull();
  else expect(read).toMatchObject(options);
});

describe(`with ${MANY} bills`, () => {
  beforeAll(async () => {
    // These columns need no other table.
    await runtime().db.query(
      {
        text: `INSERT INTO bill (id, merchant_id, environment, amount, reference, created_at)
               SELECT (lpad(to_hex(1790000000000 + n), 12, '0') || '7000a000000000000000')::uuid, $1, 'sandbox', 500000, 'MANY-' || n, now() FROM generate_series(1, $2) n`,
      },
      [shop.merchant.id, MANY],
    );
  }, 60_000);

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
      for (const line of piece.split('\r\n').slice(0, -1)) {
        rows += 1;
        if (rows % 1_000 === 0) seen.add(line.slice(0, 36));
      }
      pieces += 1;
      if (pieces % 20 === 0) most = Math.max(most, heldNow() - before);
    }
    const [{ count } = { count: 0 }] = await runtime().db.query<{ count: number }>(
      { text: 'SELECT count(*)::int AS count FROM bill WHERE merchant_id = $1' },
      [shop.merchant.id],
    );
    expect(rows).toBe(count);
    expect(seen.size).toBe(Math.floor(count / 1_000) + 1);
    // The memory without garbage is a few batches. All rows together would take about 100 MB.
    expect(most).toBeLessThan(30_000_000);
  }, 120_000);
});
