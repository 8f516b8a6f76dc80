import { beforeEach, describe, expect, test } from 'vitest';
import { findPaymentsOfBill } from '@/lib/gateway/ledger/payment-store';
import { correctRecorded, recordPayment } from '@/lib/gateway/ledger/record-payment';
import { verifyLedger } from '@/lib/gateway/ledger/verify-ledger';
import type { MerchantAccess } from '@/lib/identity/accounts/access/grant-access';
import { updateProfile } from '@/lib/identity/merchants/store';
import { newId } from '@/lib/platform/core/ids';
import { joinAs } from '@/testing/data/access';
import { pay } from '@/testing/data/paying';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { closeShift } from './close-shift';
import { counterState } from './counter-rules';
import { enterBill } from './enter-bill';
import { showCounter, showEntry } from './show-counter';
import { showShift } from './show-shift';
import { takeCash, takesCash } from './take-cash';

const runtime = testRuntime({ DATABASE_POOL_SIZE: '20' });
let shop: TestMerchant;
let cashier: MerchantAccess;
let admin: MerchantAccess;
beforeEach(async () => {
  shop = await makeMerchant(runtime());
  cashier = await joinAs(runtime(), shop, 'collector');
  admin = await joinAs(runtime(), shop, 'admin');
  await updateProfile(runtime().db, cashier.scope, { cashiersTakeCash: true });
});

async function entered(amount: string, { by = cashier, prompt = false } = {}): Promise<string> {
  const confirmedAt = runtime().clock().getTime();
  const entry = { entryId: newId(runtime()), amount, reference: '', mobile: '0712345001', prompt, confirmedAt };
  const result = await enterBill(runtime(), by, entry);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value.billId;
}
const take = (billId: string, amount: bigint, { by = cashier, formId = newId(runtime()) } = {}) =>
  takeCash(runtime(), by, { billId, amount, formId });
const done = { ok: true, value: null };
const refused = (error: string) => ({ ok: false, error });
const shiftId = async (by = cashier) => (await showCounter(runtime(), by))?.shift?.id ?? '';
const close = (id: string, counted: string, by = cashier) => closeShift(runtime(), by, { id, counted });
const paymentOf = async (billId: string) => (await findPaymentsOfBill(runtime().db, billId))[0]?.id ?? '';
const correct = async (billId: string, to: bigint) =>
  correctRecorded(runtime(), admin, { paymentId: await paymentOf(billId), to, reason: 'miscounted' });

describe('cash at the counter', () => {
  test('pays the bill, which then says that it was paid in cash', async () => {
    const billId = await entered('5,000');
    expect(await take(billId, 500_000n)).toEqual(done);
    const entry = await showEntry(runtime(), cashier, billId);
    expect(entry).toMatchObject({ status: 'FULLY_PAID', paidAmount: 500_000n, cashAmount: 500_000n });
    expect(entry && counterState(entry).state).toBe('paid');
    expect((await verifyLedger(runtime().db)).filter(({ count }) => count > 0)).toEqual([]);
  });

  test('pays what is left, rounded up to whole shillings, and never more', async () => {
    const billId = await entered('5,000.50');
    await pay(runtime(), billId, 200_000n);
    expect(await take(billId, 500_100n)).toEqual(refused('more_than_due'));
    expect(await take(billId, 300_100n)).toEqual(done);
    expect(await showEntry(runtime(), cashier, billId)).toMatchObject({ status: 'FULLY_PAID', cashAmount: 300_100n });
    expect(await take(billId, 100n)).toEqual(refused('more_than_due'));
  });

  test('is recorded once, also if the same form is sent many times at once and after the shift', async () => {
    const billId = await entered('5,000');
    const formId = newId(runtime());
    const answers = await Promise.all(Array.from({ length: 6 }, () => take(billId, 500_000n, { formId })));
    expect(answers).toEqual(answers.map(() => done));
    expect(await close(await shiftId(), '5,000')).toEqual(done);
    expect(await take(billId, 500_000n, { formId })).toEqual(done);
    expect(await findPaymentsOfBill(runtime().db, billId)).toHaveLength(1);
    const twice = await entered('700');
    const both = await Promise.all([take(twice, 70_000n), take(twice, 70_000n)]);
    expect(both).toContainEqual(done);
    expect(both).toContainEqual(refused('more_than_due'));
  });

  test('is refused while a payment request is open, and changes nothing', async () => {
    const billId = await entered('5,000', { prompt: true });
    expect(await take(billId, 500_000n)).toEqual(refused('prompt_open'));
    expect(await showEntry(runtime(), cashier, billId)).toMatchObject({ paidAmount: 0n, reservedAmount: 500_000n });
  });

  test('is for owners and admins, and for cashiers if the merchant allows it; for own bills of the counter only', async () => {
    const may = (by: MerchantAccess) => takesCash(runtime(), by);
    const [viewer, other] = [await joinAs(runtime(), shop, 'viewer'), await joinAs(runtime(), shop, 'collector')];
    const billId = await entered('5,000');
    for (const by of [other, admin, await joinAs(runtime(), await makeMerchant(runtime()), 'owner')]) {
      expect(await take(billId, 500_000n, { by })).toEqual(refused('bill_not_found'));
    }
    expect([await take(billId, 1n, { by: viewer }), await may(viewer)]).toEqual([refused('not_allowed'), false]);
    expect(await take(await makeBill(runtime(), shop), 500_000n, { by: admin })).toEqual(refused('bill_not_found'));
    expect(await take('x', 500_000n)).toEqual(refused('bill_not_found'));
    await updateProfile(runtime().db, cashier.scope, { cashiersTakeCash: false });
    expect([await take(billId, 500_000n), await may(cashier), await may(admin)]).toEqual([refused('not_allowed'), false, true]);
    expect(await take(await entered('300', { by: admin }), 30_000n, { by: admin })).toEqual(done);
  });

  test('is not recorded for a bill of a closed shift', async () => {
    const billId = await entered('5,000');
    expect(await close(await shiftId(), '')).toEqual(done);
    expect(await take(billId, 500_000n)).toEqual(refused('shift_closed'));
    expect(await findPaymentsOfBill(runtime().db, billId)).toEqual([]);
  });
});

describe('the shift', () => {
  test('sums cash and mobile money apart, after corrections, and stores what was counted', async () => {
    const [inCash, corrected, byPhone] = [await entered('5,000'), await entered('2,000'), await entered('900')];
    await take(inCash, 500_000n);
    await take(corrected, 200_000n);
    await pay(runtime(), byPhone, 90_000n);
    const shift = await shiftId();
    expect((await showCounter(runtime(), cashier))?.shift).toMatchObject({ cash: 700_000n, sum: { paidAmount: 790_000n } });
    expect(await correct(corrected, 150_000n)).toEqual(done);
    expect((await showCounter(runtime(), cashier))?.shift).toMatchObject({ cash: 650_000n, sum: { paidAmount: 740_000n } });

    expect(await close(shift, ' ')).toEqual(refused('count_required'));
    for (const wrong of ['6.5', '-1', 'many', '9'.repeat(16)]) expect(await close(shift, wrong)).toEqual(refused('count_invalid'));
    expect(await shiftId()).toBe(shift);
    expect(await close(shift, '6,400')).toEqual(done);
    expect(await close(shift, '6,500')).toEqual(done);
    const counted = { expectedCash: 650_000n, countedCash: 640_000n };
    const ways = [
      { source: 'cash', network: null, bills: 2, amount: 650_000n },
      { source: 'provider', network: null, bills: 1, amount: 90_000n },
    ];
    for (const by of [cashier, admin]) {
      expect(await showShift(runtime(), by, shift)).toMatchObject({ shift: { ...counted, cashier: cashier.user.name }, ways });
    }
    const audited = await runtime().db.prisma.auditEntry.findMany({ where: { subject: shift, action: 'shift.closed' } });
    expect(audited).toMatchObject([{ data: { amount: '740000', expectedCash: '650000', countedCash: '640000' } }]);

    await correct(inCash, 0n);
    expect(await showShift(runtime(), cashier, shift)).toMatchObject({ shift: counted, sum: { paidAmount: 240_000n } });
  });

  test('can be closed with nothing in the drawer', async () => {
    await take(await entered('5,000'), 500_000n);
    const shift = await shiftId();
    expect(await close(shift, '0')).toEqual(done);
    expect((await showShift(runtime(), cashier, shift))?.shift).toMatchObject({ expectedCash: 500_000n, countedCash: 0n });
  });

  test('without cash is closed without a count, also if its cash was corrected to nothing or another person took it', async () => {
    const [mistake, elsewhere] = [await entered('5,000'), await entered('2,000')];
    await take(mistake, 500_000n);
    await correct(mistake, 0n);
    const office = { source: 'cash', receivedAt: '', slip: '', note: '', overpay: false } as const;
    const recorded = { ...office, billId: elsewhere, amount: 200_000n, requestKey: newId(runtime()) };
    expect(await recordPayment(runtime(), admin, recorded)).toMatchObject({ ok: true });
    const shift = await shiftId();
    expect((await showCounter(runtime(), cashier))?.shift?.cash).toBe(0n);
    expect(await close(shift, '123')).toEqual(done);
    expect((await showShift(runtime(), cashier, shift))?.shift).toMatchObject({ expectedCash: null, countedCash: null });
  });

  test('that is closed while cash is recorded counts the cash, or the cash is refused', async () => {
    for (let round = 0; round < 5; round += 1) {
      const billId = await entered('5,000');
      const shift = await shiftId();
      const [taken, closed] = await Promise.all([take(billId, 500_000n), close(shift, '5,000')]);
      expect(closed).toEqual(done);
      const { expectedCash } = (await showShift(runtime(), cashier, shift))?.shift ?? {};
      expect([taken, expectedCash]).toEqual(taken.ok ? [done, 500_000n] : [refused('shift_closed'), null]);
    }
  });
});
