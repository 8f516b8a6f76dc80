import { beforeAll, describe, expect, test } from 'vitest';
import { closeBill } from '@/lib/backoffice/bill-page/close-bill';
import { listBillDeliveries } from '@/lib/backoffice/delivery-log/list-deliveries';
import { findAnyBill } from '@/lib/gateway/bills/store';
import { keyAccess, type MerchantAccess } from '@/lib/identity/accounts/access/grant-access';
import { updateProfile } from '@/lib/identity/merchants/store';
import { addMs, DAY_MS, HOUR_MS } from '@/lib/platform/core/clock';
import { eastAfricanDay } from '@/lib/platform/core/east-african-day';
import { newId } from '@/lib/platform/core/ids';
import { REASON_MAX } from '@/lib/platform/core/text';
import { joinAs } from '@/testing/data/access';
import { pay } from '@/testing/data/paying';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { findPaymentsOfBill } from './payment-store';
import { correctRecorded, type RecordPaymentOptions, recordPayment } from './record-payment';
import { SLIP_MAX } from './rules';
import { verifyLedger } from './verify-ledger';

const runtime = testRuntime({ DATABASE_POOL_SIZE: '20' });
let shop: TestMerchant;
let admin: MerchantAccess;
beforeAll(async () => {
  shop = await makeMerchant(runtime());
  admin = await joinAs(runtime(), shop, 'admin');
});

const newBill = (mobile: string | null = null) => makeBill(runtime(), shop, { amount: 5_000, mobile });
const cash = (billId: string, changes: Partial<RecordPaymentOptions> = {}): RecordPaymentOptions => ({
  billId,
  amount: 500_000n,
  source: 'cash',
  receivedAt: '',
  slip: '',
  note: '',
  overpay: false,
  requestKey: newId(runtime()),
  ...changes,
});
const record = (billId: string, changes: Partial<RecordPaymentOptions> = {}, access: Parameters<typeof recordPayment>[1] = admin) =>
  recordPayment(runtime(), access, cash(billId, changes));
async function recorded(billId: string, changes: Partial<RecordPaymentOptions> = {}): Promise<string> {
  const result = await record(billId, changes);
  if (!result.ok) throw new Error(result.error.code);
  return result.value.paymentId;
}
const billOf = (billId: string) => findAnyBill(runtime().db, billId);
const eventsOf = (billId: string) => runtime().db.prisma.billEvent.findMany({ where: { billId }, orderBy: { number: 'asc' } });
const paymentsOf = (billId: string) => findPaymentsOfBill(runtime().db, billId);
const breaches = async () => (await verifyLedger(runtime().db)).filter(({ count }) => count > 0);

describe('a recorded payment', () => {
  test('pays the bill like any payment, with its event, webhook and audit entry', async () => {
    await runtime().db.query({ text: "UPDATE webhook_endpoint SET url = 'http://127.0.0.1:9/' WHERE merchant_id = $1" }, [
      shop.merchant.id,
    ]);
    const billId = await newBill();
    const id = await recorded(billId, { slip: ' ab 12 ', note: 'at the office', source: 'bank' });
    expect(await billOf(billId)).toMatchObject({ status: 'FULLY_PAID', paidAmount: 500_000n, mobile: null });
    expect(await paymentsOf(billId)).toMatchObject([{ id, transactionId: 'AB 12', source: 'bank', amount: 500_000n, mobile: null }]);
    expect(await eventsOf(billId)).toMatchObject([
      { type: 'bill.created' },
      { type: 'payment.recorded', data: { by: admin.actor.name, payment: id, source: 'bank', slip: 'AB 12', note: 'at the office' } },
      { type: 'bill.fully_paid' },
    ]);
    expect(await listBillDeliveries(runtime(), admin, billId)).toMatchObject([{ billStatus: 'FULLY_PAID' }]);
    const audited = await runtime().db.prisma.auditEntry.findMany({ where: { subject: id } });
    expect(audited).toMatchObject([{ action: 'payment.recorded', actor: admin.actor.name, data: { bill: billId, amount: '500000' } }]);
    expect(await breaches()).toEqual([]);
  });

  test('without a slip has its own id as receipt number, and the account of the merchant holds no other money', async () => {
    const first = await recorded(await newBill());
    const second = await recorded(await newBill());
    const payments = await runtime().db.prisma.payment.findMany({
      where: { id: { in: [first, second] } },
      select: { providerTransactionId: true, providerAccount: { select: { provider: true, merchantId: true, disabledAt: true } } },
    });
    expect(payments.map((one) => one.providerTransactionId).sort()).toEqual([first, second].sort());
    for (const { providerAccount } of payments)
      expect(providerAccount).toMatchObject({ provider: 'hand', merchantId: shop.merchant.id, disabledAt: expect.any(Date) });
  });

  test('counts on a closed bill, and its event says so', async () => {
    const billId = await newBill();
    await closeBill(runtime(), admin, { billId, reason: 'sold' });
    await recorded(billId);
    expect(await billOf(billId)).toMatchObject({ status: 'FULLY_PAID', paidAmount: 500_000n });
    expect((await eventsOf(billId)).find(({ type }) => type === 'payment.recorded')?.data).toMatchObject({ closed: true });
  });

  test('has the time of a day or an instant within the last year', async () => {
    const now = runtime().clock();
    const day = eastAfricanDay(addMs(now, -3 * DAY_MS));
    const instant = addMs(now, -HOUR_MS);
    for (const [receivedAt, expected] of [
      [day, new Date(`${day}T12:00:00+03:00`)],
      [eastAfricanDay(now), null],
      [instant.toISOString(), instant],
      ['', null],
    ] as const) {
      const { happenedAt } = await runtime().db.prisma.payment.findUniqueOrThrow({
        where: { id: await recorded(await newBill(), { receivedAt }) },
      });
      expect(happenedAt).toEqual(expected);
    }
    const refused = { error: { code: 'received_at_invalid' } };
    for (const receivedAt of [
      addMs(now, HOUR_MS).toISOString(),
      eastAfricanDay(addMs(now, DAY_MS)),
      eastAfricanDay(addMs(now, -400 * DAY_MS)),
      '2026-02-30',
      'yesterday',
    ])
      expect(await record(await newBill(), { receivedAt })).toMatchObject(refused);
  });
});

describe('what is refused', () => {
  test('a slip that the merchant has used, in any writing; another merchant and the other environment may use it', async () => {
    const [billId, slip] = [await newBill(), `S-${newId(runtime())}`];
    await recorded(billId, { slip, amount: 100_000n });
    expect(await record(billId, { slip: slip.toLowerCase(), amount: 100_000n })).toMatchObject({ error: { code: 'slip_used' } });
    expect(await billOf(billId)).toMatchObject({ paidAmount: 100_000n });
    const other = await makeMerchant(runtime());
    const owner = await joinAs(runtime(), other, 'owner');
    expect(await record(await makeBill(runtime(), other), { slip, amount: 100_000n }, owner)).toMatchObject({ ok: true });
  });

  test('more than what an open payment request leaves, although the caller confirmed it', async () => {
    const billId = await newBill('0712345005');
    const facts = { code: 'prompt_open', left: 0n, reserved: 500_000n };
    expect(await record(billId)).toMatchObject({ error: facts });
    expect(await record(billId, { overpay: true, amount: 1n })).toMatchObject({ error: facts });
  });

  test('more than what is left, unless the caller confirmed it', async () => {
    const billId = await newBill();
    await pay(runtime(), billId, 200_000n);
    expect(await record(billId)).toMatchObject({ error: { code: 'more_than_due', left: 300_000n } });
    expect(await record(billId, { overpay: true })).toMatchObject({ ok: true });
    expect(await billOf(billId)).toMatchObject({ paidAmount: 700_000n });
  });

  test('values out of bounds', async () => {
    const billId = await newBill();
    for (const [changes, code] of [
      [{ amount: 0n }, 'amount_invalid'],
      [{ amount: -1n }, 'amount_invalid'],
      [{ amount: 10n ** 18n }, 'amount_invalid'],
      [{ slip: 'x'.repeat(SLIP_MAX + 1) }, 'slip_too_long'],
      [{ note: 'x'.repeat(REASON_MAX + 1) }, 'note_too_long'],
    ] as const)
      expect(await record(billId, changes)).toMatchObject({ error: { code } });
    expect(await record('no id')).toMatchObject({ error: { code: 'bill_not_found' } });
    expect(await paymentsOf(billId)).toEqual([]);
  });

  test('members and keys without the permission, and bills of other merchants', async () => {
    const billId = await newBill();
    for (const role of ['viewer', 'collector'] as const)
      expect(await record(billId, {}, await joinAs(runtime(), shop, role))).toMatchObject({ error: { code: 'not_allowed' } });
    const scopes = ['create', 'read', 'events', 'refund'] as const;
    expect(await record(billId, {}, keyAccess({ id: 'k', scopes }, admin.scope))).toMatchObject({ error: { code: 'not_allowed' } });
    const stranger = await joinAs(runtime(), await makeMerchant(runtime()), 'owner');
    expect(await record(billId, {}, stranger)).toMatchObject({ error: { code: 'bill_not_found' } });
    expect(await record(billId, {}, keyAccess({ id: 'k', scopes: ['record'] }, admin.scope))).toMatchObject({ ok: true });
  });
});

describe('a cashier', () => {
  test('records only cash, at the counter, on own bills, and if the merchant allows it', async () => {
    const merchant = await makeMerchant(runtime());
    const cashier = await joinAs(runtime(), merchant, 'collector');
    const own = await makeBill(runtime(), merchant);
    await runtime().db.prisma.bill.update({ where: { id: own }, data: { createdById: cashier.user.id } });
    const foreign = await makeBill(runtime(), merchant);
    const take = (billId: string, changes: Partial<RecordPaymentOptions> = {}) =>
      record(billId, { amount: 100_000n, atCounter: true, ...changes }, cashier);
    expect(await take(own)).toMatchObject({ error: { code: 'not_allowed' } });
    await updateProfile(runtime().db, cashier.scope, { cashiersTakeCash: true });
    expect(await take(own, { atCounter: false })).toMatchObject({ error: { code: 'not_allowed' } });
    expect(await take(own, { source: 'bank' })).toMatchObject({ error: { code: 'not_allowed' } });
    expect(await take(foreign)).toMatchObject({ error: { code: 'bill_not_found' } });
    expect(await take(own)).toMatchObject({ ok: true });
  });
});

describe('a request that comes again', () => {
  test('records one payment, also many at once', async () => {
    const billId = await newBill();
    const options = cash(billId, { amount: 100_000n, slip: newId(runtime()) });
    const answers = await Promise.all(Array.from({ length: 6 }, () => recordPayment(runtime(), admin, options)));
    const [paymentId] = (await paymentsOf(billId)).map(({ id }) => id);
    expect(answers.filter(({ ok }) => ok)).toHaveLength(6);
    expect(answers.filter((answer) => answer.ok && !answer.value.replayed)).toHaveLength(1);
    expect(answers).toContainEqual({ ok: true, value: { paymentId, replayed: true } });
    expect(await billOf(billId)).toMatchObject({ paidAmount: 100_000n });
  });

  test('with other contents is refused, also for another bill at the same time', async () => {
    const [one, other] = [await newBill(), await newBill()];
    const requestKey = newId(runtime());
    const answers = await Promise.all([one, other].map((billId) => record(billId, { requestKey })));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(answers.filter((answer) => !answer.ok && answer.error.code === 'idempotency_key_reused')).toHaveLength(1);
    for (const billId of [one, other])
      expect(await record(billId, { requestKey, amount: 1_000n })).toMatchObject({ error: { code: 'idempotency_key_reused' } });
    expect([...(await paymentsOf(one)), ...(await paymentsOf(other))]).toHaveLength(1);
  });

  test('two people who record the rest at once: one is asked about the overpayment', async () => {
    const billId = await newBill();
    const answers = await Promise.all([record(billId), record(billId)]);
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(answers).toContainEqual({ ok: false, error: { code: 'more_than_due', left: 0n } });
  });
});

describe('a correction', () => {
  test('changes a recorded payment by an entry, to nothing too', async () => {
    const billId = await newBill();
    const paymentId = await recorded(billId);
    const correct = (to: bigint, reason = 'miscounted') => correctRecorded(runtime(), admin, { paymentId, to, reason });
    expect(await correct(400_000n)).toEqual({ ok: true, value: null });
    expect(await billOf(billId)).toMatchObject({ status: 'PARTIALLY_PAID', paidAmount: 400_000n });
    expect(await correct(400_000n)).toMatchObject({ error: 'nothing_to_correct' });
    expect(await correct(0n)).toMatchObject({ ok: true });
    expect(await billOf(billId)).toMatchObject({ status: 'NOT_PAID', paidAmount: 0n });
    expect(await correct(-1n)).toMatchObject({ error: 'not_found' });
    expect(await correct(1n, ' ')).toMatchObject({ error: 'reason_required' });
    const audited = await runtime().db.prisma.auditEntry.findMany({ where: { subject: paymentId, action: 'payment.corrected' } });
    expect(audited).toHaveLength(2);
    expect(await breaches()).toEqual([]);
  });

  test('of a provider payment, or of another merchant, is refused', async () => {
    const billId = await newBill();
    await pay(runtime(), billId, 500_000n);
    const [provided] = await paymentsOf(billId);
    const options = { paymentId: provided?.id ?? '', to: 0n, reason: 'x' };
    expect(await correctRecorded(runtime(), admin, options)).toMatchObject({ error: 'not_found' });
    const own = { ...options, paymentId: await recorded(await newBill()) };
    expect(await correctRecorded(runtime(), await joinAs(runtime(), shop, 'viewer'), own)).toMatchObject({ error: 'not_allowed' });
    const stranger = await joinAs(runtime(), await makeMerchant(runtime()), 'owner');
    expect(await correctRecorded(runtime(), stranger, own)).toMatchObject({ error: 'not_found' });
  });
});
