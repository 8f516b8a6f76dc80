import { beforeAll, expect, test } from 'vitest';
import { NOTE_MAX, noteBill } from '@/lib/backoffice/bill-page/note-bill';
import { showBill } from '@/lib/backoffice/bill-page/show-bill';
import { watchBill } from '@/lib/backoffice/bill-page/watch-bill';
import type { MerchantAccess } from '@/lib/identity/accounts/access/grant-access';
import { updateProfile } from '@/lib/identity/merchants/store';
import { joinAs } from '@/testing/data/access';
import { pay } from '@/testing/data/paying';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { createBillFromForm } from './create-bill-from-form';
import { showNewBill } from './show-new-bill';
import type { TypedBill } from './typed-bill';

const runtime = testRuntime({ DATABASE_POOL_SIZE: '20' });
let merchant: TestMerchant;
let admin: MerchantAccess;
let collector: MerchantAccess;

beforeAll(async () => {
  merchant = await makeMerchant(runtime());
  [admin, collector] = await Promise.all([joinAs(runtime(), merchant, 'admin'), joinAs(runtime(), merchant, 'collector')]);
});

const TYPED: TypedBill = { amount: 'TSh 12,500/=', reference: '  Ada ya Januari ', mobile: '' };

const create = (typed: Partial<TypedBill> = {}, access = collector, formId: string = crypto.randomUUID()) =>
  createBillFromForm(runtime(), access, { typed: { ...TYPED, ...typed }, formId });

async function created(typed: Partial<TypedBill> = {}, access = collector): Promise<string> {
  const bill = await create(typed, access);
  if (!bill.ok) throw new Error(bill.error.kind);
  return bill.value;
}

test('a bill is created from what a person typed, with its creator', async () => {
  const id = await created({ mobile: '712 345 001' });
  const view = await showBill(runtime(), collector, id);
  expect(view?.bill).toMatchObject({ amount: 1_250_000n, reference: 'Ada ya Januari', mobile: '0712345001' });
  expect(view?.timeline).toMatchObject([
    { kind: 'created', by: `user:${collector.user.email}` },
    { kind: 'prompt', prompt: { mobile: '0712345001', amount: 1_250_000n } },
  ]);
  expect(await runtime().db.prisma.auditEntry.findFirst({ where: { subject: id } })).toMatchObject({
    action: 'bill.created',
    actor: `user:${collector.user.email}`,
    address: '192.0.2.1',
  });
});

test('the optional values are stored, and the audit log has nothing about the customer', async () => {
  const id = await created({ customerName: 'Asha', description: 'Ada', dueDate: '2026-11-30' });
  expect((await showBill(runtime(), collector, id))?.bill).toMatchObject({
    customerName: 'Asha',
    description: 'Ada',
    dueAt: new Date('2026-11-30T20:59:59.999Z'),
  });
  const entry = await runtime().db.prisma.auditEntry.findFirst({ where: { subject: id } });
  expect(entry?.data).toEqual({ amount: '1250000', reference: 'Ada ya Januari' });
  expect(await create({ dueDate: '31/02/2026', description: 'x'.repeat(256) })).toMatchObject({
    error: {
      problems: [
        { field: 'description', code: 'description_too_long' },
        { field: 'dueDate', code: 'due_date_invalid' },
      ],
    },
  });
});

test('a form that is sent many times creates one bill, and with other contents it is refused', async () => {
  const formId = crypto.randomUUID();
  const made = await Promise.all(Array.from({ length: 10 }, () => create({ reference: 'TWICE' }, collector, formId)));
  expect(new Set(made.map((bill) => (bill.ok ? bill.value : bill.error.kind))).size).toBe(1);
  expect(await runtime().db.prisma.bill.count({ where: { reference: 'TWICE' } })).toBe(1);
  expect(await create({ reference: 'OTHER' }, collector, formId)).toMatchObject({ error: { kind: 'form_reused' } });
});

test('every field gets its error, by the rules of the API', async () => {
  expect(await create({ amount: '', reference: ' ', mobile: '12' })).toMatchObject({
    error: {
      kind: 'wrong',
      problems: [
        { field: 'amount', code: 'amount_required' },
        { field: 'reference', code: 'reference_required' },
        { field: 'mobile', code: 'mobile_invalid' },
      ],
    },
  });
});

test.each([
  ['0', 'amount_not_positive'],
  ['-5', 'amount_not_positive'],
  ['elfu tano', 'amount_not_number'],
  ['12,50', 'amount_not_number'],
  ['2.000', 'amount_too_precise'],
  ['99999999999999999999999', 'amount_too_large'],
  ['1e9', 'amount_not_number'],
])('the amount %s is rejected as %s', async (amount, code) => {
  expect(await create({ amount })).toMatchObject({ error: { problems: [{ field: 'amount', code }] } });
});

test.each([
  ['12500', 1_250_000n],
  ['12 500.50', 1_250_050n],
  ['Tsh. 1,000,000', 100_000_000n],
  ['5000/-', 500_000n],
])('the amount %s is accepted', async (amount, senti) => {
  expect((await showBill(runtime(), collector, await created({ amount })))?.bill.amount).toBe(senti);
});

test('a reference can be used only once if the merchant requires that', async () => {
  await updateProfile(runtime().db, admin.scope, { uniqueReferences: true });
  await created({ reference: 'ONCE' });
  expect(await create({ reference: 'ONCE' })).toMatchObject({ error: { problems: [{ field: 'reference', code: 'reference_used' }] } });
  await updateProfile(runtime().db, admin.scope, { uniqueReferences: false });
});

test('a collector sees neither bills of others nor provider messages, and an admin sees all', async () => {
  const [mine, theirs] = [await created(), await created({}, admin)];
  expect(await showBill(runtime(), collector, mine)).toMatchObject({ messageCount: null });
  for (const id of [theirs, await makeBill(runtime(), merchant)]) {
    expect(await showBill(runtime(), collector, id)).toBeNull();
    expect(await watchBill(runtime(), collector, id)).toBeNull();
  }
  expect(await showBill(runtime(), admin, mine)).toMatchObject({ messageCount: 0 });
  expect(await create({}, await joinAs(runtime(), merchant, 'viewer'))).toMatchObject({ error: { kind: 'not_allowed' } });
});

test('a payment while the page is read causes another refresh of the page', async () => {
  const id = await created();
  const { db } = runtime();
  // Books a payment between the first and the second query of the page.
  let first = true;
  const query: typeof db.query = async (statement, values) => {
    const rows = await db.query<never>(statement, values);
    if (first) {
      first = false;
      await pay(runtime(), id, 100_000n);
    }
    return rows;
  };
  const torn = await showBill({ ...runtime(), db: { ...db, query } }, admin, id);
  expect(torn?.watched.version).not.toBe((await watchBill(runtime(), admin, id))?.version);
});

test('a note is stored once with its author, and changes the version of the page', async () => {
  const id = await created();
  const note = (text: string, formId: string = crypto.randomUUID(), access = admin) =>
    noteBill(runtime(), access, { billId: id, text, formId });
  const before = await watchBill(runtime(), admin, id);
  const formId = crypto.randomUUID();
  await Promise.all([note('Called him:\r\nhe pays on Friday \u0000', formId), note('Called him:\r\nhe pays on Friday \u0000', formId)]);
  const notes = (await showBill(runtime(), admin, id))?.timeline.filter(({ kind }) => kind === 'note');
  expect(notes).toMatchObject([{ text: 'Called him:\nhe pays on Friday', by: `user:${admin.user.email}` }]);
  expect((await watchBill(runtime(), admin, id))?.version).not.toBe(before?.version);
  expect(await note('')).toMatchObject({ error: 'note_required' });
  expect(await note('x'.repeat(NOTE_MAX + 1))).toMatchObject({ error: 'note_too_long' });
  expect(await note('x', 'y')).toMatchObject({ error: 'form_invalid' });
  expect(await note('x', crypto.randomUUID(), collector)).toMatchObject({ error: 'not_allowed' });
  const stranger = await joinAs(runtime(), await makeMerchant(runtime()), 'owner');
  expect(await note('x', crypto.randomUUID(), stranger)).toMatchObject({ error: 'not_found' });
});

test('the customers of the newest bills are offered once each, and to cashiers only those of their own bills', async () => {
  const shop = await makeMerchant(runtime());
  const [owner, cashier, viewer] = await Promise.all(
    (['admin', 'collector', 'viewer'] as const).map((role) => joinAs(runtime(), shop, role)),
  );
  if (!owner || !cashier || !viewer) throw new Error('a member is missing');
  await created({ mobile: '0712345001', customerName: 'Asha' }, owner);
  await created({ customerName: 'Bila Namba' }, owner);
  await created({ mobile: '0712345001' }, owner);
  await created({ mobile: '0712345002' }, cashier);
  await created({}, cashier);
  expect((await showNewBill(runtime(), owner))?.customers).toEqual([
    { name: '', mobile: '0712345002' },
    { name: 'Asha', mobile: '0712345001' },
    { name: 'Bila Namba', mobile: '' },
  ]);
  expect((await showNewBill(runtime(), cashier))?.customers).toEqual([{ name: '', mobile: '0712345002' }]);
  expect(await showNewBill(runtime(), viewer)).toBeNull();
  expect((await showNewBill(runtime(), await joinAs(runtime(), await makeMerchant(runtime()), 'admin')))?.customers).toEqual([]);
});

test('a due date without a year gets the nearest one', async () => {
  const id = await created({ dueDate: '1/1' });
  const due = (await showBill(runtime(), collector, id))?.bill.dueAt;
  expect(Math.abs((due?.getTime() ?? 0) - runtime().clock().getTime())).toBeLessThan(184 * 86_400_000);
});
