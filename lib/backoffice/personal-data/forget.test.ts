import { beforeAll, beforeEach, expect, test } from 'vitest';
import { findBills } from '@/lib/backoffice/search/search-store';
import { examine } from '@/lib/entry/doctor/examine';
import { changeBill, lockBill } from '@/lib/gateway/bills/change-bill';
import { announceBills } from '@/lib/gateway/webhooks/announce-bill';
import { sealEntries } from '@/lib/identity/audit/seal-entries';
import { verifyChain } from '@/lib/identity/audit/verify-chain';
import { operatorActor } from '@/lib/platform/core/actor';
import { addMs, DAY_MS, HOUR_MS } from '@/lib/platform/core/clock';
import { newId, newPaymentReference } from '@/lib/platform/core/ids';
import { type Mobile, parseMobile } from '@/lib/platform/core/mobile';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { eraseNumber, exportNumber } from './erase-number';
import { forgetOld } from './forget-old';
import { TABLE_RULES } from './personal-columns';

const KEEP_DAYS = 200;
const runtime = testRuntime({ KEEP_CUSTOMERS_DAYS: String(KEEP_DAYS), KEEP_MESSAGES_DAYS: '100' });
const actor = operatorActor('amina', null, 'the customer asked');
const SANDBOX_ACCOUNT = '00000000-0000-7000-8000-5a0db0c00001';
let merchant: TestMerchant;
let other: TestMerchant;

function needMobile(text: string): Mobile {
  const mobile = parseMobile(text);
  if (mobile === null) throw new Error(`${text} is no number`);
  return mobile;
}

/** What is stored about one customer, whose digits occur in no other value. */
function customer(digits: string) {
  return {
    mobile: needMobile(`0754${digits}`),
    name: `Neema Mfano ${digits}`,
    email: `neema.${digits}@example.com`,
    text: `House of Neema ${digits}`,
  };
}
type Customer = ReturnType<typeof customer>;

/** Pays a bill from a customer's phone, and writes a row about the customer into every table that has personal data of customers. */
async function paidBill(of: Customer, { state = 'SUCCEEDED', shop = merchant }: { state?: string; shop?: TestMerchant } = {}) {
  const { db } = runtime();
  const { mobile, name, email, text } = of;
  const info = { customerName: name, customerEmail: email, description: text, metadata: { note: text }, returnUrl: null };
  const billId = await makeBill(runtime(), shop, { reference: `R-${newId(runtime()).slice(-8)}`, info });
  const at = runtime().clock();
  const [attempt, payment, message, reconciliation] = [newId(runtime()), newId(runtime()), newId(runtime()), newId(runtime())];
  const scope = [shop.merchant.id, 'sandbox'];
  await db.query(
    {
      text: `INSERT INTO push_attempt (id, merchant_id, environment, bill_id, provider_account_id, source, mobile, network, amount, our_reference,
               state, created_at, settled_at, unknown_since)
             VALUES ($1, $2, $3, $4, $5, 'api', $6, 'vodacom', 500100, $7, $8::attempt_state, $9::timestamptz,
               CASE WHEN $8 = 'UNKNOWN' THEN NULL ELSE $9::timestamptz END, CASE WHEN $8 = 'UNKNOWN' THEN $9::timestamptz END)`,
    },
    [attempt, ...scope, billId, SANDBOX_ACCOUNT, mobile, newPaymentReference(runtime().random), state, at],
  );
  await db.transaction(async (tx) => {
    const bill = await lockBill(tx, billId);
    await tx.query(
      {
        text: `INSERT INTO payment (id, environment, merchant_id, provider_account_id, provider_transaction_id, kind, amount, mobile, attempt_id, recorded_at)
               VALUES ($1::uuid, $2, $3, $4, $1::uuid::text, 'payment', 100000, $5, $6, $7)`,
      },
      [payment, 'sandbox', shop.merchant.id, SANDBOX_ACCOUNT, mobile, state === 'UNKNOWN' ? null : attempt, at],
    );
    await tx.query(
      {
        text: `INSERT INTO payment_allocation (id, merchant_id, environment, payment_id, bill_id, amount, created_by, created_at)
               VALUES ($1, $2, $3, $4, $5, 100000, 'system:worker', $6)`,
      },
      [newId(runtime()), ...scope, payment, billId, at],
    );
    const changed = await changeBill(tx, bill, { paid: 100_000n, released: 0n, payer: mobile, events: [], now: at });
    if (changed.statusEvent !== null) await announceBills(runtime(), tx, [{ bill: changed.bill, eventNumber: changed.statusEvent }], at);
  });
  await db.query(
    {
      text: `INSERT INTO provider_message (id, environment, provider_account_id, attempt_id, kind, headers, body, received_at, handled_at)
             VALUES ($1, 'sandbox', $2, $3, 'callback', $4, $5, $6, $6)`,
    },
    [message, SANDBOX_ACCOUNT, attempt, { 'x-name': name }, Buffer.from(`{"msisdn":"255${mobile.slice(1)}","name":"${name}"}`), at],
  );
  await db.query(
    {
      text: `INSERT INTO reconciliation (id, environment, provider_account_id, period_from, period_to, file_name, file_hash, requested_by, created_at)
             VALUES ($1, 'sandbox', $2, $3::timestamptz, $3::timestamptz + interval '1 hour', $4, $5, 'operator:amina', $3)`,
    },
    [reconciliation, SANDBOX_ACCOUNT, at, `${name}.csv`, Buffer.from(reconciliation)],
  );
  await db.query(
    {
      text: `INSERT INTO reconciliation_line (reconciliation_id, number, finding, action, kind, transaction_id, happened_at, payment_id, raw)
             VALUES ($1, 2, 'matched', 'none', 'payment', 'T', $2, $3, $4)`,
    },
    [reconciliation, at, payment, { payer: name, msisdn: mobile }],
  );
  const imported = newId(runtime());
  await db.query(
    {
      text: `INSERT INTO bill_import (id, merchant_id, environment, file_name, encoding, rows_hash, row_count, error_count, warning_count, total,
               created_by, created_by_id, created_at, started_at) VALUES ($1, $2, $3, $4, 'UTF-8', 'x', 1, 0, 0, 1, 'system:worker', $1, $5, $5)`,
    },
    [imported, ...scope, `${name}.xlsx`, at],
  );
  await db.query(
    {
      text: `INSERT INTO bill_import_row (import_id, number, amount, reference, mobile, customer_name, description, problems)
             VALUES ($1, 2, 1, 'R', $2, $3, $4, $5)`,
    },
    [imported, mobile, name, text, JSON.stringify([{ text: mobile }])],
  );
  await db.query(
    {
      text: `INSERT INTO bill_note (id, merchant_id, environment, bill_id, created_by, text, created_at) VALUES ($1, $2, $3, $4, 'system:worker', $5, $6)`,
    },
    [newId(runtime()), ...scope, billId, text, at],
  );
  await db.query(
    {
      text: `INSERT INTO prompt_refusal (id, environment, mobile, state, reason, requested_at, decided_at, decided_by)
             VALUES ($1, 'sandbox', $2, 'LIFTED', $3, $4, $4, 'operator:amina')`,
    },
    [newId(runtime()), mobile, text, at],
  );
  await db.query(
    { text: 'INSERT INTO sandbox_phone (merchant_id, environment, mobile, held_until) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING' },
    [...scope, mobile, at],
  );
  await db.query(
    { text: "INSERT INTO search_entry (id, merchant_id, environment, bill_id, text, keys) VALUES ($1, $2, $3, $1, $4, '{1}')" },
    [billId, ...scope, `mobile ${mobile}\n`],
  );
  return { billId, attempt, payment };
}

/** Returns the columns that contain one of the values anywhere, as text or as bytes: `bill.mobile`. */
async function columnsWith(values: readonly string[]): Promise<string[]> {
  const { owner } = runtime();
  const patterns = values.flatMap((value) => [value, Buffer.from(value).toString('hex')]).map((value) => `%${value}%`);
  const tables = await owner.query<{ table: string }>({
    text: "SELECT relname AS table FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1",
  });
  const found: string[] = [];
  for (const { table } of tables) {
    const rows = await owner.query<{ column: string }>(
      {
        text: `SELECT DISTINCT v.key AS column FROM "${table}" t CROSS JOIN LATERAL jsonb_each_text(to_jsonb(t)) v WHERE v.value ILIKE ANY ($1::text[]) ORDER BY 1`,
      },
      [patterns],
    );
    found.push(...rows.map(({ column }) => `${table}.${column}`));
  }
  return found;
}
const valuesOf = ({ mobile, name, email, text }: Customer) => [mobile.slice(1), name, email, text];

/** What must never change: amounts, instants, states, ids and sums. */
async function books() {
  const { db } = runtime();
  const read = (text: string) => db.query({ text });
  return {
    payments: await read("SELECT to_jsonb(p) - 'mobile' AS row FROM payment p ORDER BY id"),
    allocations: await read('SELECT * FROM payment_allocation ORDER BY id'),
    bills: await read('SELECT id, amount, reference, paid_amount, status, created_at, paid_at, event_count FROM bill ORDER BY id'),
    attempts: await read("SELECT to_jsonb(a) - 'mobile' AS row FROM push_attempt a ORDER BY id"),
    audit: await read('SELECT * FROM audit_entry WHERE chain_number IS NOT NULL ORDER BY id'),
  };
}
/** The findings of `bili doctor` that are errors. */
const wrong = async () =>
  (await examine(runtime())).filter(({ level }) => level === 'wrong').map(({ name, details }) => ({ name, details }));
async function sealAll(): Promise<void> {
  while (await sealEntries(runtime()));
}
async function forgetAll(): Promise<void> {
  while (await forgetOld(runtime()));
}

beforeAll(async () => {
  [merchant, other] = [await makeMerchant(runtime()), await makeMerchant(runtime())];
});
let made = 0;
beforeEach(() => {
  made += 1;
});
const someone = () => customer(String(100_000 + made * 7_919).slice(0, 6));

test('after the periods no number, name, e-mail address or text of a customer is left, and the books are the same', async () => {
  const [one, two] = [someone(), customer('999321')];
  await paidBill(one);
  await paidBill(one, { shop: other });
  await paidBill(two);
  await sealAll();
  // Every table whose customers' data this job ends is filled, so that the test shows that it does.
  const filled = new Set((await columnsWith([...valuesOf(one), ...valuesOf(two)])).map((column) => column.split('.')[0]));
  const forgotten = Object.entries(TABLE_RULES).filter(([, { keep }]) => ['KEEP_CUSTOMERS_DAYS', 'KEEP_MESSAGES_DAYS'].includes(keep));
  expect(forgotten.map(([table]) => table).filter((table) => !filled.has(table))).toEqual([]);

  runtime().advance(KEEP_DAYS * DAY_MS - HOUR_MS);
  await forgetAll();
  expect(await columnsWith([one.mobile.slice(1)])).toContain('payment.mobile');
  runtime().advance(2 * HOUR_MS);
  const [before, errors] = [await books(), await wrong()];
  await forgetAll();
  expect(await columnsWith([...valuesOf(one), ...valuesOf(two)])).toEqual([]);
  expect(await books()).toEqual(before);
  expect(await wrong()).toEqual(errors);
  for (const { merchant: shop } of [merchant, other])
    expect(await verifyChain(runtime(), { chain: shop.id })).toMatchObject({ broken: null });
  // The same number has the same pseudonym everywhere, so that customers can still be counted.
  const counted = await runtime().db.query({ text: 'SELECT mobile, count(*)::int AS count FROM payment GROUP BY mobile ORDER BY count' });
  expect(counted).toEqual([
    { mobile: expect.stringMatching(/^erased:[\w-]{22}$/), count: 1 },
    { mobile: expect.stringMatching(/^erased:[\w-]{22}$/), count: 2 },
  ]);
});

test('erasing a number erases it everywhere and touches no other, and the search finds it no more', async () => {
  const [one, two] = [someone(), customer('888123')];
  const paid = await paidBill(one);
  await paidBill(one, { shop: other });
  const kept = await paidBill(two);
  const columns = await columnsWith(valuesOf(two));
  const exported = await exportNumber(runtime(), { mobile: one.mobile, actor });
  expect(Object.keys(exported.tables)).toEqual(
    expect.arrayContaining(['bill', 'bill_note', 'push_attempt', 'payment', 'provider_message', 'webhook_delivery', 'reconciliation_line']),
  );
  expect(JSON.stringify(exported.tables)).not.toContain(two.mobile);
  expect(JSON.stringify(exported.tables.provider_message)).toContain(one.name);
  await sealAll();
  const before = await books();

  const erasure = await eraseNumber(runtime(), { mobile: one.mobile, actor });
  expect(erasure).toMatchObject({ pseudonym: exported.pseudonym, erased: { bills: 2, attempts: 2, payments: 2, messages: 2 }, left: [] });
  expect(await columnsWith([one.mobile.slice(1)])).toEqual([]);
  expect(await columnsWith([one.email])).toEqual([]);
  expect(await columnsWith(valuesOf(two))).toEqual(columns);
  expect(await books()).toEqual(before);
  const { db } = runtime();
  expect(await db.prisma.payment.findUnique({ where: { id: paid.payment } })).toMatchObject({ mobile: erasure.pseudonym });
  expect(await db.prisma.bill.findUnique({ where: { id: kept.billId } })).toMatchObject({ mobile: two.mobile, customerName: two.name });
  const find = (text: string) => findBills(db, { ...merchant.scope('sandbox'), billsOf: null }, { lookup: 'mobile', text, limit: 10 });
  expect(await find(one.mobile)).toEqual([]);
  expect(await find(two.mobile)).toHaveLength(1);
  expect(await exportNumber(runtime(), { mobile: one.mobile, actor })).toMatchObject({ tables: {} });
  const entries = await db.prisma.auditEntry.findMany({ where: { subject: erasure.pseudonym }, orderBy: { id: 'asc' } });
  expect(entries).toMatchObject([
    { action: 'number.exported', actor: 'operator:amina', data: { reason: 'the customer asked' } },
    { action: 'number.erased', actor: 'operator:amina', data: { erased: erasure.erased, reason: 'the customer asked' } },
    { action: 'number.exported' },
  ]);
});

test('a payment in progress is left, with the reason, and erased later', async () => {
  const one = someone();
  const { attempt, billId } = await paidBill(one, { state: 'UNKNOWN' });
  const { db } = runtime();
  await db.query({ text: "UPDATE prompt_refusal SET state = 'ACTIVE' WHERE mobile = $1" }, [one.mobile]);
  const erase = () => eraseNumber(runtime(), { mobile: one.mobile, actor });
  expect(await erase()).toMatchObject({
    erased: { bills: 0, attempts: 0, payments: 1 },
    left: [
      { reason: 'open_attempt', count: 1 },
      { reason: 'refusal', count: 1 },
    ],
  });
  expect(await db.prisma.pushAttempt.findUnique({ where: { id: attempt } })).toMatchObject({ mobile: one.mobile });
  expect(await db.prisma.bill.findUnique({ where: { id: billId } })).toMatchObject({ mobile: one.mobile });
  // The job waits for it, too.
  runtime().advance(KEEP_DAYS * DAY_MS);
  await forgetAll();
  expect(await columnsWith([one.mobile.slice(1)])).toEqual(
    expect.arrayContaining(['bill.mobile', 'prompt_refusal.mobile', 'push_attempt.mobile']),
  );
  await db.query({ text: "UPDATE push_attempt SET state = 'EXPIRED', unknown_since = NULL, settled_at = now() WHERE id = $1" }, [attempt]);
  expect(await erase()).toMatchObject({ erased: { bills: 1, attempts: 1 }, left: [{ reason: 'refusal', count: 1 }] });
});

test('an interrupted batch is done again, and two workers share the work', async () => {
  const people = Array.from({ length: 6 }, (_, index) => customer(String(700_000 + index)));
  for (const one of people) await paidBill(one);
  runtime().advance(KEEP_DAYS * DAY_MS + DAY_MS);
  const failing = {
    ...runtime(),
    secrets: {
      ...runtime().secrets,
      token: (): string => {
        throw new Error('killed');
      },
    },
  };
  await expect(forgetOld(failing)).rejects.toThrow('killed');
  expect(await columnsWith(people.map(({ mobile }) => mobile.slice(1)))).toContain('push_attempt.mobile');
  await Promise.all([forgetAll(), forgetAll()]);
  await forgetAll();
  expect(await columnsWith(people.flatMap(valuesOf))).toEqual([]);
});

test('a payment may get a pseudonym once, and nothing else', async () => {
  const { payment } = await paidBill(someone());
  const { db } = runtime();
  const change = (set: string) => db.query({ text: `UPDATE payment SET ${set} WHERE id = $1` }, [payment]);
  const pseudonym = `erased:${'a'.repeat(22)}`;
  for (const set of [
    "mobile = '0754000001'",
    'mobile = NULL',
    "mobile = 'erased:short'",
    'amount = 1',
    `mobile = '${pseudonym}', amount = 1`,
  ])
    await expect(change(set)).rejects.toThrow('never changed');
  await change(`mobile = '${pseudonym}'`);
  for (const set of ["mobile = '0754000001'", `mobile = 'erased:${'b'.repeat(22)}'`])
    await expect(change(set)).rejects.toThrow('never changed');
  await expect(db.query({ text: 'DELETE FROM payment WHERE id = $1' }, [payment])).rejects.toThrow('never changed');
});

test('ended sessions are deleted, who has left every team is forgotten, and others stay', async () => {
  const { db, clock } = runtime();
  const user = await db.prisma.user.findUniqueOrThrow({ where: { email: merchant.email } });
  const now = clock();
  const session = (expiresAt: Date) => ({
    id: newId(runtime()),
    tokenHash: Buffer.from(newId(runtime())),
    userId: user.id,
    address: '10.1.2.3',
    createdAt: now,
    provenAt: now,
    lastSeenAt: now,
    expiresAt,
  });
  await db.prisma.session.createMany({ data: [session(addMs(now, HOUR_MS)), session(addMs(now, 400 * DAY_MS))] });
  const cashier = { email: '0754111222/duka', mobile: '0754111222', name: 'Juma Mfano', passwordHash: 'x', createdAt: now };
  const left = await db.prisma.user.create({ data: { id: newId(runtime()), ...cashier } });
  runtime().advance(92 * DAY_MS);
  await forgetAll();
  expect(await db.prisma.session.count({ where: { userId: user.id } })).toBe(1);
  expect(await db.prisma.user.findUnique({ where: { id: user.id } })).toMatchObject({ email: merchant.email });
  expect(await db.prisma.user.findUnique({ where: { id: left.id } })).toMatchObject({ email: `erased:${left.id}`, mobile: null, name: '' });
});
