import { expect, test } from 'vitest';
import { askInstruments } from '@/lib/gateway/instruments/ask-instruments';
import { claimInstruments, listInstruments, makeInstrumentDue } from '@/lib/gateway/instruments/store';
import { workInstrument } from '@/lib/gateway/instruments/work-instrument';
import { addMs, DAY_MS, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { formatQr } from '@/lib/platform/core/emv';
import { testSandbox } from '@/testing/data/sandbox';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { operatePhone } from './operate-phone';
import { findCardPayment, findPayable, payByCard, payFromPhone } from './pay-bill';
import { showPhones } from './show-phones';

const runtime = testRuntime({ SANDBOX_BASE_URL: 'http://127.0.0.1:9' });
const sandbox = testSandbox(runtime);
const MOBILE = '0754345678';
const LATE = '0754345011';
const visitOf = (merchant: TestMerchant) => ({ scope: merchant.scope('sandbox'), merchantName: 'Duka' });

/** Does what is due for instruments now and in the next minute. */
async function work(): Promise<void> {
  for (let round = 0; round < 10; round += 1) {
    const lease = { now: runtime().clock(), leaseUntil: addMs(runtime().clock(), MINUTE_MS), limit: 100 };
    for (const claimed of await claimInstruments(runtime().db, lease))
      await workInstrument(sandbox.runtime(), claimed, new AbortController().signal);
    runtime().advance(6 * SECOND_MS);
  }
}

/** Creates a bill with an issued instrument, and a phone on which a person pays it. */
async function issue(amount: number) {
  const merchant = await makeMerchant(runtime());
  const visit = visitOf(merchant);
  await showPhones(runtime(), visit, [MOBILE, LATE]);
  const billId = await makeBill(runtime(), merchant, { amount, mobile: null });
  const asked = await askInstruments(sandbox.runtime(), billId, 'test');
  if (!asked.ok) throw new Error(`no instrument: ${asked.error}`);
  await work();
  const [issued] = await listInstruments(runtime().db, billId);
  const { number, qr, link } = issued ?? { number: null, qr: null, link: null };
  const bill = { mobile: MOBILE, number: number ?? '', qr: '', amount: '', pin: '1234' };
  const pay = (change: Partial<typeof bill> = {}) => payFromPhone(runtime(), visit, { ...bill, ...change });
  const paid = async () => {
    // The callbacks of the provider are lost, so a status query finds the payment.
    for (const { id } of await listInstruments(runtime().db, billId)) await makeInstrumentDue(runtime().db, id, runtime().clock());
    await work();
    return (await runtime().db.prisma.bill.findUniqueOrThrow({ where: { id: billId } })).paidAmount;
  };
  return { merchant, visit, billId, bill, issued, qr: qr ?? '', link: link ?? '', pay, paid };
}

test('a phone pays a bill by its number, and shows the receipt', async () => {
  const { visit, bill, issued, pay, paid } = await issue(5_000);
  expect(issued).toMatchObject({ kind: 'order', state: 'ACTIVE' });
  expect(await findPayable(runtime(), visit, bill)).toMatchObject({ ok: true, value: { amount: 5_000n, open: false } });
  const result = await pay({ number: `${bill.number.slice(0, 4)} ${bill.number.slice(4)}` });
  const [phone] = await showPhones(runtime(), visit, [MOBILE]);
  expect(phone?.paid).toMatchObject([{ receipt: result.ok ? result.value : '', amount: 5_000n, number: bill.number }]);
  expect(await paid()).toBe(500_000n);
  expect(await pay()).toEqual({ ok: false, error: 'paid' });
});

test('a phone pays by the text of the QR code, which says the amount', async () => {
  const { qr, bill, pay, paid } = await issue(5_000);
  const code = { acquirer: '999', account: bill.number, merchantName: 'Duka', reference: bill.number };
  expect(await pay({ number: '', qr: `${qr}0` })).toEqual({ ok: false, error: 'qr' });
  expect(await pay({ number: '', qr: formatQr({ ...code, amount: 400_000n }) })).toEqual({ ok: false, error: 'amount' });
  expect((await pay({ number: '', qr: ` ${qr}\n` })).ok).toBe(true);
  expect(await paid()).toBe(500_000n);
});

test('a control number takes parts, twice the amount and more, and stays the same', async () => {
  const { billId, bill, issued, pay, paid } = await issue(1_500_000);
  expect(issued).toMatchObject({ kind: 'control_number', qr: null, link: null });
  expect(bill.number).toMatch(/^99\d{10}$/);
  expect((await pay({ amount: '500,000' })).ok).toBe(true);
  expect(await paid()).toBe(50_000_000n);
  const [same] = await listInstruments(runtime().db, billId);
  expect(same).toMatchObject({ state: 'ACTIVE', number: bill.number, amount: 100_000_000n });
  expect([await pay({ amount: '3000001' }), await pay({ amount: 'x' }), await pay({ amount: '0' })]).toEqual([
    { ok: false, error: 'limit' },
    { ok: false, error: 'amount' },
    { ok: false, error: 'amount' },
  ]);
  expect([(await pay()).ok, (await pay()).ok]).toEqual([true, true]);
  expect(await paid()).toBe(250_000_000n);
  // The provider has cancelled it with the bill. A payment that was under way comes all the same.
  expect(await pay({ amount: '100' })).toEqual({ ok: false, error: 'ended' });
  expect((await pay({ amount: '100', mobile: LATE })).ok).toBe(true);
});

test('a wallet refuses a wrong PIN, an empty wallet, a phone that is off, and numbers that it does not know', async () => {
  const { visit, bill, pay } = await issue(5_000);
  const other = await issue(5_000);
  expect(await pay({ pin: '12' })).toEqual({ ok: false, error: 'pin' });
  expect(await pay({ pin: '0000' })).toEqual({ ok: false, error: 'wrong_pin' });
  for (const number of ['', '1', '00000000', 'x', '\u0000', other.bill.number])
    expect(await pay({ number }), number).toEqual({ ok: false, error: 'unknown' });
  expect(await pay({ mobile: '0754345679' })).toEqual({ ok: false, error: 'off' });
  const change = { kind: 'switch', mobile: MOBILE, isOn: null, hasMoney: false } as const;
  await operatePhone(runtime(), visit, change);
  expect(await pay()).toEqual({ ok: false, error: 'no_money' });
  await operatePhone(runtime(), visit, { ...change, isOn: false });
  expect(await pay()).toEqual({ ok: false, error: 'off' });
  runtime().advance(DAY_MS);
  expect(await findPayable(runtime(), visit, bill)).toEqual({ ok: false, error: 'ended' });
});

test('a card pays once, and the bill does not name a payer', async () => {
  const { link, paid } = await issue(5_000);
  const reference = link.split('/').at(-1) ?? '';
  expect(await findCardPayment(runtime(), reference)).toMatchObject({ amount: 5_000n, receipt: null, ended: false });
  await Promise.all([payByCard(runtime(), reference), payByCard(runtime(), reference)]);
  await payByCard(runtime(), reference);
  expect(await paid()).toBe(500_000n);
  expect(await findCardPayment(runtime(), reference)).toMatchObject({ receipt: expect.stringMatching(/^SBX/), ended: true });
  for (const unknown of ['', 'A'.repeat(20), '\u0000']) expect(await findCardPayment(runtime(), unknown)).toBeNull();
});
