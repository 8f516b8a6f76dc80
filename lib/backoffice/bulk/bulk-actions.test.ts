import { beforeAll, expect, test } from 'vitest';
import { reopenBill } from '@/lib/backoffice/bill-page/close-bill';
import { listAttempts } from '@/lib/gateway/payments/store';
import type { MerchantAccess } from '@/lib/identity/accounts/access/grant-access';
import { accessOf, joinAs, makeMember } from '@/testing/data/access';
import { pay } from '@/testing/data/paying';
import { testSandbox } from '@/testing/data/sandbox';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { BULK_MAX, closeBills, listBillCodes, requestPayments } from './bulk-actions';

const runtime = testRuntime({ SANDBOX_BASE_URL: 'http://127.0.0.1:9' });
const sandbox = testSandbox(runtime);
let merchant: TestMerchant;
let admin: MerchantAccess;
let strangersBill: string;

beforeAll(async () => {
  merchant = await makeMerchant(runtime());
  admin = await joinAs(runtime(), merchant, 'admin');
  strangersBill = await makeBill(runtime(), await makeMerchant(runtime(), 'Jirani'), { mobile: '0712345001' });
});

const newBill = (reference: string, mobile?: string) =>
  makeBill(runtime(), merchant, { amount: 5_000, reference, ...(mobile !== undefined && { mobile }) });
const entriesOf = (action: string, subjects: readonly string[]) =>
  runtime().db.prisma.auditEntry.count({ where: { merchantId: merchant.merchant.id, action, subject: { in: [...subjects] } } });

test('closes the bills that can be closed, says why not for each other, and never closes another merchant’s', async () => {
  const [open, paid, asked, closed] = [
    await newBill('OPEN'),
    await newBill('PAID'),
    await newBill('ASKED', '0712345005'),
    await newBill('CLOSED'),
  ];
  await pay(runtime(), paid, 500_000n);
  await closeBills(runtime(), admin, { billIds: [closed], reason: 'Imelipwa dukani' });
  const billIds = [open, paid, asked, closed, strangersBill, open];
  const first = await closeBills(runtime(), admin, { billIds, reason: 'Imelipwa dukani' });
  expect(first).toEqual({
    ok: true,
    value: [
      { id: open, outcome: 'done' },
      { id: paid, outcome: 'paid' },
      { id: asked, outcome: 'prompt_open' },
      { id: closed, outcome: 'already_closed' },
      { id: strangersBill, outcome: 'not_found' },
    ],
  });
  const again = await closeBills(runtime(), admin, { billIds: [open], reason: 'Imelipwa dukani' });
  expect(again).toMatchObject({ value: [{ outcome: 'already_closed' }] });
  expect(await entriesOf('bill.closed', billIds)).toBe(2);
  expect(await runtime().db.prisma.bill.findUnique({ where: { id: strangersBill } })).toMatchObject({ closedAt: null });
  expect(await reopenBill(runtime(), admin, { billId: open, reason: 'Kosa' })).toMatchObject({ ok: true });
});

test('sends one prompt for each bill to its own number, also if the form is submitted twice', async () => {
  const [first, second, numberless] = [await newBill('ONE', '0712345002'), await newBill('TWO'), await newBill('THREE')];
  await sandbox.settle(first);
  await runtime().db.query({ text: "UPDATE bill SET mobile = '0754345001' WHERE id = $1" }, [second]);
  const options = { billIds: [first, second, numberless, strangersBill], formId: crypto.randomUUID() };
  const expected = {
    ok: true,
    value: [
      { id: first, outcome: 'done' },
      { id: second, outcome: 'done' },
      { id: numberless, outcome: 'no_number' },
      { id: strangersBill, outcome: 'not_found' },
    ],
  };
  expect(await requestPayments(runtime(), admin, options)).toEqual(expected);
  expect(await requestPayments(runtime(), admin, options)).toEqual(expected);
  const attempts = (await Promise.all([first, second].map((id) => listAttempts(runtime().db, id)))).flat();
  expect(attempts.map(({ mobile, state, amount }) => [mobile, state, amount])).toEqual([
    ['0712345002', 'FAILED', 500_000n],
    ['0712345002', 'QUEUED', 500_000n],
    ['0754345001', 'QUEUED', 500_000n],
  ]);
  expect(await requestPayments(runtime(), admin, { billIds: [first], formId: crypto.randomUUID() })).toMatchObject({
    value: [{ outcome: 'already_open' }],
  });
  expect(
    await entriesOf(
      'attempt.requested',
      attempts.map(({ id }) => id),
    ),
  ).toBe(2);
});

test('asks for a selection of at most a page, a reason and a form', async () => {
  const many = Array.from({ length: BULK_MAX + 1 }, () => crypto.randomUUID());
  const formId = crypto.randomUUID();
  expect(await closeBills(runtime(), admin, { billIds: many, reason: 'x' })).toMatchObject({ error: 'too_many_selected' });
  expect(await closeBills(runtime(), admin, { billIds: ['x'], reason: 'x' })).toMatchObject({ error: 'nothing_selected' });
  expect(await closeBills(runtime(), admin, { billIds: [strangersBill], reason: ' ' })).toMatchObject({ error: 'reason_required' });
  expect(await closeBills(runtime(), admin, { billIds: [strangersBill], reason: 'x'.repeat(201) })).toMatchObject({
    error: 'reason_too_long',
  });
  expect(await requestPayments(runtime(), admin, { billIds: many, formId })).toMatchObject({ error: 'too_many_selected' });
  expect(await requestPayments(runtime(), admin, { billIds: [strangersBill], formId: 'x' })).toMatchObject({ error: 'form_invalid' });
});

test.each(['viewer', 'collector'] as const)('a %s may not close bills', async (role) => {
  const member = await joinAs(runtime(), merchant, role);
  const bill = await newBill('KEEP');
  expect(await closeBills(runtime(), member, { billIds: [bill], reason: 'x' })).toMatchObject({ error: 'not_allowed' });
  expect(await runtime().db.prisma.bill.findUnique({ where: { id: bill } })).toMatchObject({ closedAt: null });
});

test('lists the codes of payable bills in the order of the selection, for a collector only of their own', async () => {
  const [first, second, paid] = [await newBill('CODE-1'), await newBill('CODE-2'), await newBill('CODE-3')];
  await pay(runtime(), paid, 500_000n);
  await pay(runtime(), second, 200_000n);
  const billIds = [second, paid, first, strangersBill];
  const listed = await listBillCodes(runtime(), admin, billIds);
  expect(listed).toMatchObject({
    value: {
      codes: [
        { bill: { id: second }, remaining: 300_000n, ways: null },
        { bill: { id: first }, ways: null },
      ],
      omitted: 2,
    },
  });
  expect(listed.ok && listed.value.codes[0]?.webPayUrl).toContain(`/pay?bill=${second}`);
  const collector = await accessOf(runtime(), merchant, await makeMember(runtime(), merchant, 'collector'));
  await runtime().db.query({ text: 'UPDATE bill SET created_by_id = $1 WHERE id = $2' }, [collector.user.id, first]);
  expect(await listBillCodes(runtime(), collector, billIds)).toMatchObject({ value: { codes: [{ bill: { id: first } }], omitted: 3 } });
});
