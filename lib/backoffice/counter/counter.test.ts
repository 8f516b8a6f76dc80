import { beforeEach, describe, expect, test } from 'vitest';
import { promptAgain } from '@/lib/gateway/prompts/prompt-again';
import type { MerchantAccess } from '@/lib/identity/accounts/access/grant-access';
import { HOUR_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import { newId } from '@/lib/platform/core/ids';
import { joinAs, letIn } from '@/testing/data/access';
import { pay } from '@/testing/data/paying';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { closeShift } from './close-shift';
import { CLOCK_TOLERANCE_MS, counterState, PROMPT_WITHIN_MS } from './counter-rules';
import { type EnteredBill, enterBill } from './enter-bill';
import { showCounter, showEntry } from './show-counter';
import { showShift } from './show-shift';

const runtime = testRuntime();
let shop: TestMerchant;
let cashier: MerchantAccess;
beforeEach(async () => {
  shop = await makeMerchant(runtime());
  cashier = await joinAs(runtime(), shop, 'collector');
});

const ago = (ms: number) => runtime().clock().getTime() - ms;
const bill = (changes: Partial<EnteredBill> = {}): EnteredBill => ({
  entryId: newId(runtime()),
  amount: '5,000',
  reference: '',
  mobile: '0712345001',
  prompt: true,
  confirmedAt: ago(500),
  ...changes,
});
async function entered(changes: Partial<EnteredBill> = {}, by = cashier) {
  const result = await enterBill(runtime(), by, bill(changes));
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}
const shiftId = async (by = cashier) => (await showCounter(runtime(), by))?.shift?.id ?? '';
const close = (id: string, counted = '', by = cashier) => closeShift(runtime(), by, { id, counted });
const countBills = () => runtime().db.prisma.bill.count({ where: { merchantId: shop.merchant.id } });

test('the first bill opens the shift, and each gets a short reference and its state', async () => {
  expect(await showCounter(runtime(), cashier)).toEqual({
    shift: null,
    today: { bills: 0, paid: 0, amount: 0n, paidAmount: 0n },
    entries: [],
    newLink: null,
  });
  const first = await entered();
  const second = await entered({ prompt: false, amount: '1200.50' });
  const third = await entered({ reference: ' Table 7 ' });
  expect(first.reference).toMatch(/^[A-Z2-9]{4}-1$/);
  expect(second.reference).toBe(first.reference.replace('-1', '-2'));
  expect(third.reference).toBe('Table 7');
  expect(counterState(first)).toEqual({ state: 'waiting', reason: null });
  expect([counterState(second).state, second.mobile]).toEqual(['open', null]);
  const view = await showCounter(runtime(), cashier);
  expect(view?.entries.map(({ billId }) => billId)).toEqual([third.billId, second.billId, first.billId]);
  expect(view?.today).toEqual({ bills: 3, paid: 0, amount: 1_120_050n, paidAmount: 0n });
  expect(view?.shift?.sum).toEqual(view?.today);
  expect(await runtime().db.prisma.bill.findUnique({ where: { id: first.billId } })).toMatchObject({ createdById: cashier.user.id });
});

test('a bill that is sent many times, at once and later, is created once', async () => {
  const sent = bill();
  const answers = await Promise.all(Array.from({ length: 8 }, () => enterBill(runtime(), cashier, sent)));
  expect(new Set(answers.map((answer) => answer.ok && answer.value.billId)).size).toBe(1);
  expect(answers.every((answer) => answer.ok)).toBe(true);
  runtime().advance(50 * HOUR_MS);
  expect(await enterBill(runtime(), cashier, sent)).toMatchObject({ ok: true });
  expect(await countBills()).toBe(1);
  expect(await runtime().db.prisma.pushAttempt.count({ where: { merchantId: shop.merchant.id } })).toBe(1);
});

test('the id of an entry belongs to one member: others who send it get a bill of their own', async () => {
  const sent = bill();
  const others = [
    cashier,
    await joinAs(runtime(), shop, 'collector'),
    await joinAs(runtime(), await makeMerchant(runtime()), 'collector'),
    await joinAs(runtime(), await makeMerchant(runtime()), 'owner'),
  ];
  const answers = [
    ...(await Promise.all(others.map((other) => enterBill(runtime(), other, sent)))),
    await enterBill(runtime(), cashier, sent),
  ];
  const ids = answers.map((answer) => (answer.ok ? answer.value.billId : answer.error.kind));
  expect(new Set(ids).size).toBe(others.length);
  expect(ids.at(-1)).toBe(ids[0]);
});

describe('a request that is sent late', () => {
  const stale = { ok: false, error: { kind: 'stale' } };
  test.each([PROMPT_WITHIN_MS + 1, -CLOCK_TOLERANCE_MS - MINUTE_MS, Number.NaN])(
    'must be confirmed (age %d), and creates nothing',
    async (age) => {
      expect(await enterBill(runtime(), cashier, bill({ confirmedAt: ago(age) }))).toEqual(stale);
      expect(await enterBill(runtime(), cashier, bill({ confirmedAt: null }))).toEqual(stale);
      expect(await countBills()).toBe(0);
    },
  );
  test('is accepted within two minutes, also if the clock of the device is a little wrong', async () => {
    for (const age of [PROMPT_WITHIN_MS / 2, -CLOCK_TOLERANCE_MS / 2]) await entered({ confirmedAt: ago(age) });
    expect(await countBills()).toBe(2);
  });
  test('creates nothing if it was delayed on its way until after the refusal, so that the cashier can delete the bill', async () => {
    const delayed = bill();
    runtime().advance(PROMPT_WITHIN_MS);
    expect(await enterBill(runtime(), cashier, delayed)).toEqual(stale);
    expect(await countBills()).toBe(0);
  });
  test('is no problem without a prompt', async () => {
    expect(await entered({ prompt: false, confirmedAt: ago(20 * HOUR_MS) })).toMatchObject({ attemptState: null });
  });
});

test('wrong values are named, and use up no number of the shift', async () => {
  const refused = async (changes: Partial<EnteredBill>) => enterBill(runtime(), cashier, bill(changes));
  const wrong = (field: string, code: string) => ({ ok: false, error: { kind: 'wrong', problems: [{ field, code }] } });
  expect(await refused({ amount: '0' })).toEqual(wrong('amount', 'amount_not_positive'));
  expect(await refused({ amount: '' })).toEqual(wrong('amount', 'amount_required'));
  expect(await refused({ mobile: '0512345678' })).toEqual(wrong('mobile', 'mobile_invalid'));
  expect(await refused({ mobile: '' })).toEqual(wrong('mobile', 'mobile_invalid'));
  expect(await refused({ entryId: 'x' })).toEqual({ ok: false, error: { kind: 'entry_invalid' } });
  expect((await entered()).number).toBe(1);
});

test('only roles that take money use the counter, and only with an active profile', async () => {
  const viewer = await joinAs(runtime(), shop, 'viewer');
  expect(await enterBill(runtime(), viewer, bill())).toEqual({ ok: false, error: { kind: 'not_allowed' } });
  expect(await showCounter(runtime(), viewer)).toBeNull();
  expect(await close(newId(runtime()), '', viewer)).toEqual({ ok: false, error: 'not_allowed' });
  await runtime().db.prisma.merchantProfile.updateMany({ where: { merchantId: shop.merchant.id }, data: { status: 'suspended' } });
  expect(await enterBill(runtime(), cashier, bill())).toEqual({ ok: false, error: { kind: 'inactive' } });
});

test('every member has own shifts and bills, also with the same ids, and only managers see the shifts of others', async () => {
  const other = await joinAs(runtime(), shop, 'collector');
  const neighbour = await letIn(runtime(), await makeMerchant(runtime()));
  const entryId = newId(runtime());
  const mine = await entered({ entryId });
  const theirs = await entered({ entryId }, other);
  const next = await entered({ entryId }, neighbour);
  expect(new Set([mine.billId, theirs.billId, next.billId]).size).toBe(3);
  const shift = await shiftId();
  for (const stranger of [other, neighbour, await letIn(runtime(), shop)]) {
    const manages = stranger.merchant.slug === cashier.merchant.slug && stranger.role === 'owner';
    expect((await showShift(runtime(), stranger, shift))?.entries.length).toBe(manages ? 1 : undefined);
    expect(await showEntry(runtime(), stranger, mine.billId)).toBeNull();
    expect(await close(shift, '', stranger)).toEqual({ ok: false, error: 'no_such_shift' });
    const again = {
      billId: mine.billId,
      mobile: '0712345002',
      network: '',
      amount: null,
      formId: newId(runtime()),
      from: 'counter',
    } as const;
    expect(await promptAgain(runtime(), stranger, again)).toEqual({ ok: false, error: { kind: 'not_found' } });
  }
  expect((await showCounter(runtime(), cashier))?.entries).toHaveLength(1);
});

test('a cashier requests payment of an own bill again, once per form, at the counter and elsewhere in the dashboard', async () => {
  const { billId } = await entered({ prompt: false });
  const again = { billId, mobile: '0754345001', network: '', amount: null, formId: newId(runtime()) };
  const ofOther = await makeBill(runtime(), shop);
  expect(await promptAgain(runtime(), cashier, { ...again, billId: ofOther })).toEqual({ ok: false, error: { kind: 'not_found' } });
  const first = await promptAgain(runtime(), cashier, { ...again, from: 'counter' });
  expect(first).toMatchObject({ ok: true });
  expect(await promptAgain(runtime(), cashier, { ...again, from: 'counter' })).toEqual(first);
  expect(await promptAgain(runtime(), cashier, again)).toEqual(first);
  expect(await showEntry(runtime(), cashier, billId)).toMatchObject({ mobile: '0754345001', attemptState: 'QUEUED' });
});

test('closing a shift is recorded once; the next bill opens another', async () => {
  await entered();
  const shift = await shiftId();
  expect(await close(shift)).toEqual({ ok: true, value: null });
  expect(await close(shift)).toEqual({ ok: true, value: null });
  expect(await close('x')).toEqual({ ok: false, error: 'no_such_shift' });
  expect((await showCounter(runtime(), cashier))?.shift).toBeNull();
  const summary = await showShift(runtime(), cashier, shift);
  expect(summary).toMatchObject({ sum: { bills: 1, paid: 0, amount: 500_000n }, ways: [], entries: [{ number: 1 }] });
  expect(summary?.shift.closedAt).not.toBeNull();
  expect((await entered()).number).toBe(1);
  expect(await shiftId()).not.toBe(shift);
  const closed = await runtime().db.prisma.auditEntry.findMany({ where: { merchantId: shop.merchant.id, action: 'shift.closed' } });
  expect(closed).toMatchObject([{ subject: shift, data: { bills: 1, paid: 0, amount: '0' } }]);
});

test('the sums of the shift contain only its own bills, also if it is not the first of the day', async () => {
  const { billId } = await entered({ amount: '4,500', prompt: false });
  await pay(runtime(), billId, 450_000n);
  await close(await shiftId());
  expect(await showCounter(runtime(), cashier)).toMatchObject({ shift: null, today: { bills: 1, paid: 1, paidAmount: 450_000n } });
  const second = await entered({ amount: '200', prompt: false });
  await entered({ amount: '300', prompt: false });
  await pay(runtime(), second.billId, 20_000n);
  expect(await showCounter(runtime(), cashier)).toMatchObject({
    shift: { sum: { bills: 2, paid: 1, amount: 50_000n, paidAmount: 20_000n } },
    today: { bills: 3, paid: 2, paidAmount: 470_000n },
  });
});

test('bills entered at once share one shift and have different numbers', async () => {
  const all = await Promise.all(Array.from({ length: 6 }, () => entered({ prompt: false })));
  expect(all.map(({ number }) => number).sort()).toEqual([1, 2, 3, 4, 5, 6]);
  expect(await runtime().db.prisma.counterShift.count({ where: { merchantId: shop.merchant.id } })).toBe(1);
});

test('money comes first: a paid bill is paid, whatever became of its attempts', () => {
  const facts = { amount: 500_000n, paidAmount: 0n, status: 'NOT_PAID', closedAt: null, attemptState: null, failureReason: null } as const;
  const paid = { ...facts, paidAmount: 500_000n, status: 'FULLY_PAID' } as const;
  expect(counterState({ ...paid, attemptState: 'FAILED', failureReason: 'wrong_pin' }).state).toBe('paid');
  expect(counterState({ ...paid, paidAmount: 900_000n }).state).toBe('overpaid');
  expect(counterState({ ...facts, attemptState: 'FAILED', failureReason: 'wrong_pin' })).toEqual({
    state: 'declined',
    reason: 'wrong_pin',
  });
  expect(counterState({ ...facts, attemptState: 'EXPIRED' })).toEqual({ state: 'declined', reason: 'expired' });
  expect(counterState({ ...facts, attemptState: 'UNKNOWN' }).state).toBe('unknown');
  expect(counterState({ ...facts, paidAmount: 100n, status: 'PARTIALLY_PAID' }).state).toBe('part');
  expect(counterState({ ...facts, closedAt: new Date() }).state).toBe('closed');
});
