import { beforeAll, expect, test } from 'vitest';
import { listBillDeliveries } from '@/lib/backoffice/delivery-log/list-deliveries';
import { indexSearch, writeEntries } from '@/lib/backoffice/search/index-search';
import { searchBills } from '@/lib/backoffice/search/search-bills';
import type { TypedInfo } from '@/lib/gateway/bills/bill-info';
import { dueAtOfDay } from '@/lib/gateway/bills/bill-info';
import type { MerchantAccess } from '@/lib/identity/accounts/access/grant-access';
import { addMs, MINUTE_MS } from '@/lib/platform/core/clock';
import { joinAs } from '@/testing/data/access';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { changeInfo } from './change-info';
import { showBill } from './show-bill';

const runtime = testRuntime();
let merchant: TestMerchant;
let admin: MerchantAccess;

beforeAll(async () => {
  merchant = await makeMerchant(runtime());
  admin = await joinAs(runtime(), merchant, 'admin');
});

const change = (billId: string, typed: TypedInfo, access = admin) => changeInfo(runtime(), access, { billId, typed });
const entries = (billId: string) => runtime().db.prisma.auditEntry.findMany({ where: { subject: billId }, orderBy: { id: 'asc' } });

test('a member changes the optional values, and the history and the audit log say who changed what', async () => {
  const info = { customerName: 'Asha', description: 'Kodi', dueAt: null };
  const billId = await makeBill(runtime(), merchant, { info });
  expect(await change(billId, { customerName: ' Asha  Juma ', description: 'Kodi', dueDate: '2026-11-30' })).toEqual({
    ok: true,
    value: null,
  });
  const view = await showBill(runtime(), admin, billId);
  expect(view?.bill).toMatchObject({ customerName: 'Asha  Juma', description: 'Kodi', dueAt: dueAtOfDay('2026-11-30') });
  expect(view?.timeline).toMatchObject([{ kind: 'created' }, { kind: 'infoChanged', by: admin.actor.name }]);
  expect(await entries(billId)).toMatchObject([
    {
      action: 'bill.info_changed',
      data: { before: { customerName: '•••', dueDate: null }, after: { customerName: '•••', dueDate: '2026-11-30' } },
    },
  ]);
  expect(await listBillDeliveries(runtime(), admin, billId)).toEqual([]);
});

test('empty values are removed, and the same values again change nothing', async () => {
  const billId = await makeBill(runtime(), merchant, {
    info: { customerName: 'Asha', description: 'Kodi', dueAt: dueAtOfDay('2026-11-30') },
  });
  expect(await change(billId, { customerName: '', description: ' ' })).toMatchObject({ ok: true });
  expect((await showBill(runtime(), admin, billId))?.bill).toMatchObject({ customerName: null, description: null, dueAt: null });
  expect(await change(billId, {})).toMatchObject({ ok: true });
  expect(await entries(billId)).toHaveLength(1);
});

test('with an invalid value nothing is changed', async () => {
  const billId = await makeBill(runtime(), merchant);
  const typed = { customerName: 'x'.repeat(101), description: 'x'.repeat(256), dueDate: '31/11/2026' };
  expect(await change(billId, { ...typed })).toEqual({
    ok: false,
    error: {
      kind: 'wrong',
      problems: { customerName: 'customer_name_too_long', description: 'description_too_long', dueDate: 'due_date_invalid' },
    },
  });
  expect(await change(billId, { description: 'good', dueDate: 'soon' })).toMatchObject({ ok: false });
  expect((await showBill(runtime(), admin, billId))?.bill.description).toBeNull();
});

test('only members with the permission change a bill of their own merchant', async () => {
  const billId = await makeBill(runtime(), merchant);
  const viewer = await joinAs(runtime(), merchant, 'viewer');
  expect(await change(billId, { description: 'A' }, viewer)).toEqual({ ok: false, error: { kind: 'not_allowed' } });
  const other = await makeMerchant(runtime(), 'Other');
  const stranger = await joinAs(runtime(), other, 'admin');
  expect(await change(billId, { description: 'A' }, stranger)).toEqual({ ok: false, error: { kind: 'not_found' } });
  expect(await change('x', { description: 'A' })).toEqual({ ok: false, error: { kind: 'not_found' } });
});

const index = async () => {
  const clock = () => addMs(runtime().clock(), MINUTE_MS);
  while (await indexSearch({ ...runtime(), clock }));
};
const find = async (typed: string) => {
  const found = await searchBills(runtime(), admin, { typed, shown: 5 });
  return found.ok && found.value.groups.map(({ kind, matches }) => [kind, ...matches.map(({ bill }) => bill.id)]);
};

test('a search finds the edited name at once, and not the old one', async () => {
  const billId = await makeBill(runtime(), merchant, { info: { customerName: 'Neema Mushi', description: null, dueAt: null } });
  await index();
  expect(await find('ema mu')).toEqual([['customer', billId]]);
  expect(await change(billId, { customerName: 'Rehema Kiwia' })).toMatchObject({ ok: true });
  expect(await find('hema ki')).toEqual([['customer', billId]]);
  expect(await find('ema mu')).toEqual([]);
});

test('a search finds the edited name, also if a worker writes the entry of the old name at the same time', async () => {
  const billId = await makeBill(runtime(), merchant, {
    reference: 'AT-ONCE',
    info: { customerName: 'Zawadi Temba', description: null, dueAt: null },
  });
  const scope = merchant.scope('sandbox');
  const read = { ...scope, id: billId, billId, createdById: null, texts: ['text AT-ONCE', 'text Zawadi Temba'] };
  const changed = await runtime().db.sqlTransaction(async (worker) => {
    await writeEntries(worker, [read]);
    const changing = change(billId, { customerName: 'Upendo Lyimo' });
    const waiting = {
      text: "SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    };
    await expect.poll(() => runtime().db.query(waiting)).toEqual([{ count: 1 }]);
    return { changing };
  });
  expect(await changed.changing).toMatchObject({ ok: true });
  // Another worker may have read the bill before the change, and writes its entry only now.
  await runtime().db.sqlTransaction((worker) => writeEntries(worker, [read]));
  await index();
  expect(await find('endo ly')).toEqual([['customer', billId]]);
  expect(await find('wadi tem')).toEqual([]);
});
