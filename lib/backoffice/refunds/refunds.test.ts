import { beforeAll, expect, test } from 'vitest';
import { readerOf } from '@/lib/backoffice/alerts/alert';
import { listAlertRows } from '@/lib/backoffice/alerts/alert-store';
import { showBill } from '@/lib/backoffice/bill-page/show-bill';
import { readAttentionFacts } from '@/lib/backoffice/overview/read-attention';
import { listHeld } from '@/lib/gateway/refunds/ask-refund';
import { approveRefund } from '@/lib/gateway/refunds/decide-refund';
import type { MerchantAccess } from '@/lib/identity/accounts/access/grant-access';
import { addMs, DAY_MS, HOUR_MS } from '@/lib/platform/core/clock';
import { eastAfricanDay } from '@/lib/platform/core/east-african-day';
import { newId } from '@/lib/platform/core/ids';
import { createRegistry } from '@/lib/providers/registry';
import { joinAs, letIn } from '@/testing/data/access';
import { pay } from '@/testing/data/paying';
import { leaveUnmatched } from '@/testing/data/waiting-money';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { askRefundFromForm, type TypedRefund } from './ask-from-form';
import { returnFromForm } from './return-from-form';
import { showRefunds } from './show-refunds';

const runtime = testRuntime({ SANDBOX_BASE_URL: 'http://127.0.0.1:9' });
let merchant: TestMerchant;
let owner: MerchantAccess;
let admin: MerchantAccess;

beforeAll(async () => {
  merchant = await makeMerchant(runtime());
  owner = await letIn(runtime(), merchant);
  admin = await joinAs(runtime(), merchant, 'admin');
});

const needs = () => ({ ...runtime(), providers: createRegistry(runtime(), 'http://127.0.0.1:9') });

async function paidBill(amount = 500_000n): Promise<TypedRefund> {
  const bill = await makeBill(runtime(), merchant, { amount: Number(amount / 100n) });
  await pay(runtime(), bill, amount);
  const [held] = await listHeld(runtime().db, bill);
  return { bill, payment: held?.payment.id ?? '', amount: '', way: 'auto', reason: 'wrong goods' };
}

const send = (typed: TypedRefund, { access = owner, formId = newId(runtime()), confirmed = true } = {}) =>
  askRefundFromForm(needs(), access, { typed, formId, confirmed });
const refundsOf = ({ payment }: TypedRefund) => runtime().db.prisma.refund.findMany({ where: { paymentId: payment } });
const setLimit = (refundLimit: bigint | null) =>
  runtime().db.prisma.merchantProfile.updateMany({ where: { merchantId: owner.scope.merchantId }, data: { refundLimit } });

test('a form first says how the money will go back, and changes nothing until it is confirmed', async () => {
  const typed = await paidBill();
  expect(await send(typed, { confirmed: false })).toMatchObject({
    value: { kind: 'planned', amount: 500_000n, way: 'hand', provider: 'sandbox', needsSecond: false },
  });
  expect(await send({ ...typed, amount: '2,000' }, { confirmed: false })).toMatchObject({ value: { amount: 200_000n, way: 'hand' } });
  expect(await send({ ...typed, way: 'hand' }, { confirmed: false })).toMatchObject({ value: { amount: 500_000n, way: 'hand' } });
  expect(await refundsOf(typed)).toEqual([]);
});

test('a form that is sent twice asks for one refund, and with other values it is refused', async () => {
  const typed = { ...(await paidBill()), amount: '2,000.50' };
  const formId = newId(runtime());
  expect(await send(typed, { formId })).toEqual({ ok: true, value: { kind: 'asked', waits: 'APPROVED' } });
  expect(await send(typed, { formId })).toMatchObject({ ok: true });
  expect(await send({ ...typed, amount: '100' }, { formId })).toMatchObject({ error: 'idempotency_key_reused' });
  expect(await refundsOf(typed)).toMatchObject([{ amount: 200_050n, way: 'hand', state: 'APPROVED', requestedBy: owner.actor.name }]);
  expect(await send(typed)).toMatchObject({ error: 'refund_open' });
  expect(await send(typed, { confirmed: false })).toMatchObject({ error: 'refund_open' });
});

test.each<[Partial<TypedRefund>, string]>([
  [{ reason: ' \n ' }, 'reason_required'],
  [{ reason: 'x'.repeat(201) }, 'reason_too_long'],
  [{ amount: '0' }, 'amount_wrong'],
  [{ amount: '-5' }, 'amount_wrong'],
  [{ amount: '2.000' }, 'amount_wrong'],
  [{ amount: '9'.repeat(30) }, 'amount_wrong'],
  [{ amount: '5,000.01' }, 'refund_more_than_left'],
  [{ payment: 'nonsense' }, 'payment_not_found'],
  [{ bill: '' }, 'nothing_to_refund'],
  [{ bill: 'nonsense' }, 'nothing_to_refund'],
])('a form with %j is refused: %s', async (changes, error) => {
  const paid = await paidBill();
  for (const confirmed of [false, true]) expect(await send({ ...paid, ...changes }, { confirmed })).toEqual({ ok: false, error });
  expect(await refundsOf(paid)).toEqual([]);
});

test('only a manager who has proven their identity may ask, and nobody of another merchant', async () => {
  const typed = await paidBill();
  const viewer = await joinAs(runtime(), merchant, 'viewer');
  const stranger = await letIn(runtime(), await makeMerchant(runtime()));
  const late = { ...owner, provenAt: addMs(runtime().clock(), -HOUR_MS) };
  for (const confirmed of [false, true]) {
    expect(await send(typed, { access: viewer, confirmed })).toMatchObject({ error: 'not_allowed' });
    expect(await send(typed, { access: late, confirmed })).toMatchObject({ error: 'not_proven' });
    expect(await send(typed, { access: stranger, confirmed })).toMatchObject({ error: 'payment_not_found' });
  }
  expect(await refundsOf(typed)).toEqual([]);
});

test('above the limit, the page lists the refund as work for another person, and then for a person who returns the money', async () => {
  await setLimit(100_000n);
  const typed = { ...(await paidBill()), way: 'hand' };
  expect(await send(typed, { confirmed: false })).toMatchObject({ value: { needsSecond: true } });
  expect(await send({ ...typed, amount: '1,000' }, { confirmed: false })).toMatchObject({ value: { needsSecond: false } });
  expect(await send(typed)).toMatchObject({ value: { waits: 'ASKED' } });
  const [refund] = await refundsOf(typed);
  const id = refund?.id ?? '';
  const stateIn = async (tab: 'todo' | 'all') =>
    (await showRefunds(runtime(), admin, { tab, before: null }))?.refunds.find((one) => one.id === id)?.state;
  expect(await stateIn('todo')).toBe('ASKED');
  expect(await approveRefund(runtime(), owner, id)).toMatchObject({ error: 'own_refund' });
  expect(await approveRefund(runtime(), admin, id)).toMatchObject({ ok: true });
  expect(await stateIn('todo')).toBe('APPROVED');

  const now = runtime().clock();
  const tomorrow = eastAfricanDay(addMs(now, DAY_MS));
  expect(await returnFromForm(runtime(), owner, { id, how: 'shells', day: eastAfricanDay(now) })).toMatchObject({ error: 'how_wrong' });
  for (const day of [tomorrow, '', '2026-02-30', '1/13/2026'])
    expect(await returnFromForm(runtime(), owner, { id, how: 'cash', day })).toMatchObject({ error: 'day_wrong' });
  const yesterday = eastAfricanDay(addMs(now, -DAY_MS));
  expect(await returnFromForm(runtime(), owner, { id, how: 'cash', day: yesterday })).toEqual({ ok: true, value: null });
  expect(await returnFromForm(runtime(), owner, { id, how: 'cash', day: yesterday })).toMatchObject({ error: 'refund_state_changed' });
  expect(await stateIn('todo')).toBeUndefined();
  expect(await stateIn('all')).toBe('DONE');
  const bill = await runtime().db.prisma.bill.findUnique({ where: { id: typed.bill }, select: { paidAmount: true, status: true } });
  expect(bill).toEqual({ paidAmount: 0n, status: 'NOT_PAID' });
  const shown = (await showRefunds(runtime(), admin, { tab: 'all', before: null }))?.refunds.find((one) => one.id === id);
  expect(eastAfricanDay(shown?.happenedAt ?? now)).toBe(yesterday);
  await setLimit(null);
});

test('the pages of the list have each refund once, and no refund of another merchant', async () => {
  const shop = await makeMerchant(runtime());
  const boss = await letIn(runtime(), shop);
  const bill = await makeBill(runtime(), shop, { amount: 5_000 });
  await pay(runtime(), bill, 500_000n);
  const [held] = await listHeld(runtime().db, bill);
  const { merchantId, environment } = boss.scope;
  const about = { merchantId, environment, paymentId: held?.payment.id ?? '', billId: bill, requestedBy: boss.actor.name, reason: 'many' };
  const rows = Array.from({ length: 60 }, (_, n) => ({
    ...about,
    id: newId(runtime()),
    ourReference: `${n}`.padStart(20, 'R'),
    amount: 100n,
    whole: false,
    way: 'hand' as const,
    state: 'FAILED' as const,
    failureReason: 'cancelled',
    createdAt: runtime().clock(),
    settledAt: runtime().clock(),
  }));
  await runtime().db.prisma.refund.createMany({ data: rows });
  const first = await showRefunds(runtime(), boss, { tab: 'all', before: null });
  const second = await showRefunds(runtime(), boss, { tab: 'all', before: first?.older ?? null });
  const ids = [...(first?.refunds ?? []), ...(second?.refunds ?? [])].map(({ id }) => id);
  expect(ids).toHaveLength(60);
  expect(new Set(ids).size).toBe(60);
  expect(second?.older).toBeNull();
  expect((await showRefunds(runtime(), owner, { tab: 'all', before: null }))?.refunds.some(({ id }) => ids.includes(id))).toBe(false);
  expect(await showRefunds(runtime(), await joinAs(runtime(), shop, 'collector'), { tab: 'all', before: null })).toBeUndefined();
});

test('money that no bill has is listed until it goes back, and the overview counts what waits for a person', async () => {
  const shop = await makeMerchant(runtime());
  const boss = await letIn(runtime(), shop);
  const bill = await makeBill(runtime(), shop, { amount: 5_000, mobile: '0712345001' });
  const payment = await leaveUnmatched(runtime(), shop, bill);
  const todo = () => showRefunds(runtime(), boss, { tab: 'todo', before: null });
  const waiting = async () => (await readAttentionFacts(runtime(), boss.scope, 'active')).refunds;
  expect((await todo())?.unmatched).toMatchObject([{ payment, left: 500_000n }]);
  expect(await waiting()).toMatchObject({ count: 0 });
  const typed = { bill: '', payment, amount: '5,000', way: 'hand', reason: 'paid twice' };
  expect(await send(typed, { access: boss })).toMatchObject({ value: { waits: 'APPROVED' } });
  const after = await todo();
  expect(after).toMatchObject({ unmatched: [], refunds: [{ paymentId: payment, billId: null, state: 'APPROVED' }] });
  expect(await waiting()).toMatchObject({ count: 1 });
  const id = after?.refunds[0]?.id ?? '';
  expect(await returnFromForm(runtime(), boss, { id, how: 'cash', day: eastAfricanDay(runtime().clock()) })).toMatchObject({ ok: true });
  expect(await todo()).toMatchObject({ unmatched: [], refunds: [] });
  expect(await waiting()).toMatchObject({ count: 0 });
});

test("a person's refund of a bill is in the bell and in the history of the bill, with how it went back", async () => {
  const typed = { ...(await paidBill()), way: 'hand', amount: '1,500' };
  expect(await send(typed)).toMatchObject({ ok: true });
  const [refund] = await refundsOf(typed);
  await returnFromForm(runtime(), admin, { id: refund?.id ?? '', how: 'bank', day: eastAfricanDay(runtime().clock()) });
  const timeline = (await showBill(runtime(), owner, typed.bill))?.timeline ?? [];
  const payments = timeline.flatMap((entry) => (entry.kind === 'payment' ? [entry.payment] : []));
  expect(timeline).toContainEqual(expect.objectContaining({ kind: 'refundAsked', amount: 150_000n, why: 'wrong goods' }));
  expect(payments).toMatchObject([
    { kind: 'payment', source: 'provider', amount: 500_000n },
    { kind: 'refund', source: 'bank', amount: -150_000n },
  ]);
  const alerts = await listAlertRows(runtime().db, owner.scope, {
    reader: readerOf('owner', owner.user.id),
    topic: null,
    now: runtime().clock(),
    since: addMs(runtime().clock(), -HOUR_MS),
    before: null,
    limit: 1,
  });
  expect(alerts).toMatchObject([{ kind: 'refund', amount: -150_000n, bill: { id: typed.bill } }]);
});
