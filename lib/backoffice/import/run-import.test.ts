import { parse } from 'csv-parse/sync';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { MerchantAccess } from '@/lib/identity/accounts/access/grant-access';
import { updateProfile } from '@/lib/identity/merchants/store';
import { addMs, DAY_MS, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { joinAs } from '@/testing/data/access';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { checkImport, DRAFTS_MAX } from './check-import';
import { exportImport } from './export-import';
import { DRAFT_RETENTION_MS } from './import-rules';
import { deleteDrafts } from './import-store';
import { runImport } from './run-import';
import { recentImports, showImport } from './show-import';

const runtime = testRuntime({ DATABASE_POOL_SIZE: '20' });
let merchant: TestMerchant;
let admin: MerchantAccess;
let files = 0;

beforeAll(async () => {
  merchant = await makeMerchant(runtime());
  admin = await joinAs(runtime(), merchant, 'admin');
});

// The limit of files in an hour is for a merchant, and these tests upload more.
beforeEach(() => runtime().db.query({ text: 'DELETE FROM throttle' }));

/** Returns the text of a file with this many bills and unique references. */
function rows(count: number): string {
  files += 1;
  const line = (_: unknown, index: number) => `${1_000 + index},FILE-${files}-${index},${index % 2 === 0 ? '0712345005' : ''}`;
  return ['amount,reference,mobile', ...Array.from({ length: count }, line)].join('\n');
}

async function check(text: string, access = admin, formId: string = crypto.randomUUID()): Promise<string> {
  const checked = await checkImport(runtime(), access, { formId, fileName: 'ada.csv', bytes: Buffer.from(text) });
  if (!checked.ok) throw new Error(checked.error.kind);
  return checked.value;
}

const show = (id: string, access = admin) => showImport(runtime(), access, { id, after: 0, problems: false });

async function run(id: string, { access = admin, askPhones = false, again = false, rowsHash = '', on = runtime() } = {}) {
  const shown = rowsHash || ((await show(id, access))?.file.rowsHash ?? '');
  return runImport(on, access, { id, rowsHash: shown, askPhones, again });
}

test('the total excludes rows with an error, whose other cells are shown', async () => {
  const id = await check('amount,reference,mobile\n1000,GOOD,\n2000,SHORT,12\n3000,FINE,');
  expect(await show(id)).toMatchObject({
    file: { rowCount: 3, errorCount: 1, total: 400_000n },
    rows: [{ reference: 'GOOD' }, { amount: 200_000n, reference: 'SHORT', mobile: null }, { reference: 'FINE' }],
  });
  expect(await run(id)).toEqual({ ok: false, error: 'has_errors' });
});

const bills = (prefix = `FILE-${files}-`) =>
  runtime().db.prisma.bill.findMany({ where: { reference: { startsWith: prefix } }, orderBy: { id: 'asc' }, include: { attempts: true } });

test('the optional columns become the optional values of the bills', async () => {
  const header = 'amount,reference,customer,description,due date';
  const id = await check(`${header}\n1000,INFO-1,Asha Juma,Ada ya muhula,30/11/2026\n1000,INFO-2,,,`);
  expect((await show(id))?.rows).toMatchObject([
    { customerName: 'Asha Juma', problems: [] },
    { customerName: null, dueAt: null },
  ]);
  const other = await check(`${header}\n1000,INFO-1,Juma Asha,Ada ya muhula,30/11/2026\n1000,INFO-2,,,`);
  expect((await show(other))?.file.rowsHash).not.toBe((await show(id))?.file.rowsHash);
  expect(await run(id)).toMatchObject({ ok: true });
  expect(await bills('INFO-')).toMatchObject([
    { customerName: 'Asha Juma', description: 'Ada ya muhula', dueAt: new Date('2026-11-30T20:59:59.999Z') },
    { customerName: null, description: null, dueAt: null },
  ]);
  const exported = parse<Record<string, string>>((await exportImport(runtime(), admin, id))?.csv ?? '', { bom: true, columns: true });
  expect(exported[0]).toMatchObject({ customer_name: 'Asha Juma', description: 'Ada ya muhula', due_date: '2026-11-30' });
});

test('an optional value that is invalid is an error of its row', async () => {
  const id = await check(`amount,reference,customer,due date\n1000,WRONG,${'x'.repeat(101)},11/30/2026`);
  expect((await show(id))?.rows[0]?.problems).toMatchObject([
    { field: 'customerName', code: 'customer_name_too_long' },
    { field: 'dueDate', code: 'due_date_invalid', read: '11/30/2026' },
  ]);
});

test('an import creates the checked rows in their order for the member who started it, and sends no prompts', async () => {
  const id = await check(rows(3));
  expect(await bills()).toEqual([]);
  expect(await run(id)).toEqual({ ok: true, value: { made: 3, refused: 0 } });
  const made = await bills();
  expect(made.map(({ amount, reference, mobile }) => [amount, reference, mobile])).toEqual([
    [100_000n, `FILE-${files}-0`, '0712345005'],
    [100_100n, `FILE-${files}-1`, null],
    [100_200n, `FILE-${files}-2`, '0712345005'],
  ]);
  expect(made.map(({ createdById, attempts, reservedAmount }) => [createdById, attempts.length, reservedAmount])).toEqual(
    Array.from({ length: 3 }, () => [admin.user.id, 0, 0n]),
  );
  expect(await runtime().db.prisma.auditEntry.findMany({ where: { subject: id } })).toMatchObject([
    { action: 'bills.imported', data: { file: 'ada.csv', bills: 3, amount: '300300', askPhones: false } },
  ]);
  const exported = await exportImport(runtime(), admin, id);
  const [, first] = parse(exported?.csv ?? '', { bom: true });
  expect(first).toEqual([
    '2',
    '1000.00',
    `FILE-${files}-0`,
    '0712345005',
    made[0]?.id,
    expect.stringContaining(`/pay?bill=${made[0]?.id}`),
    '',
    '',
    '',
    '',
  ]);
});

test('prompts are sent if the member wants it: one per row, with the amount rounded up', async () => {
  const id = await check('kiasi;kumbukumbu;simu\n1,000.50;ASKED-1;712345005\n500;ASKED-2;');
  await run(id, { askPhones: true });
  const [asked, other] = await bills('ASKED-');
  expect(asked).toMatchObject({
    reservedAmount: 100_100n,
    attempts: [{ mobile: '0712345005', network: 'yas', amount: 100_100n, source: 'api' }],
  });
  expect(other).toMatchObject({ reservedAmount: 0n, attempts: [] });
});

test('an import that is started many times at once, and again later, creates no bill twice', async () => {
  const id = await check(rows(600));
  const ran = await Promise.all(Array.from({ length: 5 }, () => run(id)));
  expect(ran.every(({ ok }) => ok)).toBe(true);
  expect(await bills()).toHaveLength(600);
  expect(await run(id)).toMatchObject({ value: { made: 600 } });
  expect(await bills()).toHaveLength(600);
  expect(await show(id)).toMatchObject({ made: 600, next: 101, file: { finishedAt: expect.any(Date) } });
});

test('an interrupted import continues where it stopped', async () => {
  const id = await check(rows(600));
  let calls = 0;
  const random = (bytes: number) => {
    calls += 1;
    if (calls > 400) throw new Error('the power went');
    return runtime().random(bytes);
  };
  await expect(run(id, { on: { ...runtime(), random } })).rejects.toThrow('the power went');
  expect(await show(id)).toMatchObject({ made: 250, file: { finishedAt: null, startedAt: expect.any(Date) } });
  expect(await run(id)).toMatchObject({ value: { made: 600 } });
  expect(new Set((await bills()).map(({ reference }) => reference)).size).toBe(600);
  expect(await bills()).toHaveLength(600);
});

test('the same rows are imported again only after a confirmation', async () => {
  const text = rows(2);
  const [first, second, third] = [await check(text), await check(text), await check(text)];
  const ran = await Promise.all([run(first), run(second)]);
  expect(ran.map((one) => (one.ok ? 'made' : one.error)).toSorted()).toEqual(['made', 'made_before']);
  expect(await show(third)).toMatchObject({ madeBefore: expect.any(Date), file: { warningCount: 0 } });
  const fourth = await check(text);
  expect(await show(fourth)).toMatchObject({ file: { warningCount: 2, errorCount: 0 } });
  expect(await run(fourth, { again: true })).toMatchObject({ ok: true });
  expect(await bills()).toHaveLength(4);
});

test('an import with errors, or with other rows than the member has seen, creates nothing', async () => {
  const wrong = await check(`${rows(2)}\nx,y,z`);
  expect(await run(wrong)).toMatchObject({ error: 'has_errors' });
  const id = await check(rows(1));
  expect(await run(id, { rowsHash: '00' })).toMatchObject({ error: 'changed' });
  expect(await bills()).toEqual([]);
});

test('a reference that was used since the check is refused if references are unique, and the other bills are created', async () => {
  await updateProfile(runtime().db, admin.scope, { uniqueReferences: true });
  const id = await check(rows(3));
  await makeBill(runtime(), merchant, { reference: 'another' });
  await runtime().db.query({ text: 'UPDATE bill SET reference = $2, unique_reference = $2 WHERE reference = $1' }, [
    'another',
    `FILE-${files}-1`,
  ]);
  expect(await run(id)).toEqual({ ok: true, value: { made: 2, refused: 1 } });
  expect((await show(id))?.rows.map(({ refused }) => refused)).toEqual([null, 'reference_used', null]);
  expect(await show(await check(`amount,reference\n5,FILE-${files}-1`))).toMatchObject({ file: { errorCount: 1 } });
  await updateProfile(runtime().db, admin.scope, { uniqueReferences: false });
});

test('a reference that another bill has is a warning, or an error if references are unique', async () => {
  const id = await makeBill(runtime(), merchant, { reference: 'TAKEN' });
  const text = 'amount,reference\n5,TAKEN';
  expect(await show(await check(text))).toMatchObject({ file: { warningCount: 1 } });
  await updateProfile(runtime().db, admin.scope, { uniqueReferences: true });
  const shown = await show(await check(text));
  await updateProfile(runtime().db, admin.scope, { uniqueReferences: false });
  expect(shown?.rows[0]?.problems).toEqual([{ field: 'reference', level: 'error', code: 'reference_used', read: 'TAKEN' }]);
  expect(JSON.stringify(shown, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))).not.toContain(id);
});

test('an import that was not started is deleted after seven days, and a started one is not', async () => {
  const [left, made, fresh] = [await check(rows(3)), await check(rows(2)), await check(rows(2))];
  await run(made);
  const { db } = runtime();
  const age = (id: string, ms: number) =>
    db.query({ text: 'UPDATE bill_import SET created_at = $2 WHERE id = $1' }, [id, addMs(runtime().clock(), -ms)]);
  for (const id of [left, made]) await age(id, DRAFT_RETENTION_MS + SECOND_MS);
  await age(fresh, DRAFT_RETENTION_MS - MINUTE_MS);
  expect(await deleteDrafts(db, addMs(runtime().clock(), -DRAFT_RETENTION_MS))).toBe(1);
  expect(await deleteDrafts(db, addMs(runtime().clock(), -DRAFT_RETENTION_MS))).toBe(0);
  expect(await show(left)).toBeNull();
  expect(await run(left)).toEqual({ ok: false, error: 'not_found' });
  expect(await db.prisma.billImportRow.count({ where: { importId: left } })).toBe(0);
  expect(await show(made)).toMatchObject({ made: 2 });
  expect(await run(fresh)).toMatchObject({ ok: true });
});

test('an import that is started while it is being deleted is either deleted or complete', async () => {
  const ids = await Promise.all(Array.from({ length: 8 }, () => check(rows(2))));
  const { db } = runtime();
  await db.query({ text: 'UPDATE bill_import SET created_at = $2 WHERE id = ANY ($1)' }, [ids, addMs(runtime().clock(), -30 * DAY_MS)]);
  const forget = () => deleteDrafts(db, addMs(runtime().clock(), -DRAFT_RETENTION_MS));
  const [ran] = await Promise.all([Promise.all(ids.map((id) => run(id, { again: true }))), forget()]);
  await forget();
  for (const [index, id] of ids.entries()) {
    const one = ran[index];
    expect(one?.ok ? one.value.made : one?.error).toBe((await show(id)) ? 2 : 'not_found');
  }
});

test('a form that is sent twice creates one import', async () => {
  const formId = crypto.randomUUID();
  const text = rows(1);
  const ids = await Promise.all([check(text, admin, formId), check(text, admin, formId)]);
  expect(new Set(ids)).toEqual(new Set([formId]));
});

test('only owners and admins of the merchant import files and see imports', async () => {
  const id = await check(rows(1));
  const stranger = await joinAs(runtime(), await makeMerchant(runtime()), 'owner');
  for (const access of [stranger, await joinAs(runtime(), merchant, 'viewer'), await joinAs(runtime(), merchant, 'collector')]) {
    expect(await show(id, access)).toBeNull();
    expect(await exportImport(runtime(), access, id)).toBeNull();
    expect((await recentImports(runtime(), access)).map((file) => file.id)).not.toContain(id);
    expect(await run(id, { access, rowsHash: 'x' })).toMatchObject({ ok: false });
  }
  const file = { formId: crypto.randomUUID(), fileName: 'ada.csv', bytes: Buffer.from(rows(1)) };
  for (const role of ['viewer', 'collector'] as const)
    expect(await checkImport(runtime(), await joinAs(runtime(), merchant, role), file)).toEqual({
      ok: false,
      error: { kind: 'not_allowed' },
    });
  const owner = await joinAs(runtime(), merchant, 'owner');
  expect((await recentImports(runtime(), owner)).map((one) => one.id)).toContain(id);
  await runtime().db.query({ text: "UPDATE merchant_profile SET status = 'suspended' WHERE merchant_id = $1" }, [merchant.merchant.id]);
  expect(await run(id)).toMatchObject({ error: 'inactive' });
  await runtime().db.query({ text: "UPDATE merchant_profile SET status = 'active' WHERE merchant_id = $1" }, [merchant.merchant.id]);
});

test('5,000 bills are created in a few seconds', async () => {
  const id = await check(rows(5_000));
  expect(await run(id, { askPhones: true })).toEqual({ ok: true, value: { made: 5_000, refused: 0 } });
});

test('a cell that is shortened is cut between characters', async () => {
  const id = await check(`amount,reference\n${'x'.repeat(99)}😀,CUT`);
  expect((await show(id))?.rows[0]?.problems[0]?.read).toMatch(/^x{99}/);
});

test("a former member's import stops", async () => {
  const leaving = await joinAs(runtime(), merchant, 'admin');
  const id = await check(rows(3), leaving);
  await runtime().db.query({ text: 'DELETE FROM membership WHERE user_id = $1' }, [leaving.user.id]);
  expect(await run(id, { access: leaving })).toMatchObject({ error: 'not_allowed' });
  expect(await bills()).toEqual([]);
});

test('a merchant may upload 20 files in an hour', async () => {
  const busy = await joinAs(runtime(), await makeMerchant(runtime()), 'admin');
  const upload = () => checkImport(runtime(), busy, { formId: crypto.randomUUID(), fileName: 'a.csv', bytes: Buffer.from(rows(1)) });
  for (let n = 0; n < 20; n += 1) expect(await upload()).toMatchObject({ ok: true });
  expect(await upload()).toEqual({ ok: false, error: { kind: 'too_many_files' } });
  runtime().advance(60 * MINUTE_MS);
  expect(await upload()).toMatchObject({ ok: true });
});

test('of the imports that nobody started, a merchant keeps the newest 50', async () => {
  const shop = await makeMerchant(runtime());
  const access = await joinAs(runtime(), shop, 'admin');
  const started = await check(rows(1), access);
  await run(started, { access });
  const ids: string[] = [];
  while (ids.length < DRAFTS_MAX + 2) {
    runtime().advance(5 * MINUTE_MS);
    ids.push(await check(rows(1), access));
  }
  const left = await runtime().db.prisma.billImport.findMany({ where: { merchantId: shop.merchant.id }, select: { id: true } });
  expect(new Set(left.map(({ id }) => id))).toEqual(new Set([started, ...ids.slice(2)]));
});
