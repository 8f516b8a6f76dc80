import { expect, test } from 'vitest';
import { findAnyBill, findBillOf } from '@/lib/gateway/bills/store';
import { showPayPage } from '@/lib/gateway/payment-page/show-pay-page';
import { requestPrompt } from '@/lib/gateway/prompts/request-prompt';
import { addMs, HOUR_MS } from '@/lib/platform/core/clock';
import { parseMobile } from '@/lib/platform/core/mobile';
import { pay } from '@/testing/data/paying';
import { makeBill, makeMerchant, testRuntime } from '@/testing/runtime';
import { closeBill, closeExpired, reopenBill } from './close-bill';
import { joinTimeline } from './timeline';
import { listEventRows } from './timeline-store';

const runtime = testRuntime();
const MOBILE = parseMobile('0712345678');

async function expiringBill(mobile: string | null = null) {
  const merchant = await makeMerchant(runtime());
  const info = { expiresAt: addMs(runtime().clock(), HOUR_MS) };
  return { merchant, id: await makeBill(runtime(), merchant, { info, mobile }) };
}
const closedAt = async (id: string) => (await findAnyBill(runtime().db, id))?.closedAt;

async function ask(billId: string) {
  if (MOBILE === null) throw new Error('the number is valid');
  return (await requestPrompt(runtime(), { environment: 'sandbox', billId, mobile: MOBILE })).kind;
}

test('an expired bill gets no prompt, its page says so, and the worker closes it; late money is booked', async () => {
  const { merchant, id } = await expiringBill();
  await closeExpired(runtime());
  expect(await closedAt(id)).toBeNull();
  runtime().advance(HOUR_MS);
  expect(await ask(id)).toBe('closed');
  expect((await showPayPage(runtime(), 'sandbox', id))?.state).toEqual({ kind: 'closed' });
  await closeExpired(runtime());
  expect(await closedAt(id)).toBeInstanceOf(Date);
  await pay(runtime(), id, 500_100n);
  expect(await findAnyBill(runtime().db, id)).toMatchObject({ status: 'FULLY_PAID', paidAmount: 500_100n });
  const events = await listEventRows(runtime().db, merchant.scope('sandbox'), id);
  const timeline = joinTimeline({ events, prompts: [], payments: [], deliveries: [], notes: [], messages: [] });
  expect(timeline.map(({ kind }) => kind)).toEqual(['created', 'expired', 'status']);
});

test('a bill that is reopened does not expire again, and one that was closed earlier still expires', async () => {
  const { merchant, id } = await expiringBill();
  const access = merchant.operator('sandbox');
  expect(await closeBill(runtime(), access, { billId: id, reason: 'a mistake' })).toMatchObject({ ok: true });
  expect(await reopenBill(runtime(), access, { billId: id, reason: 'another' })).toMatchObject({ ok: true });
  expect((await findBillOf(runtime().db, access, id))?.expiresAt).toBeInstanceOf(Date);
  runtime().advance(HOUR_MS);
  await closeExpired(runtime());
  expect(await reopenBill(runtime(), access, { billId: id, reason: 'longer' })).toMatchObject({ ok: true });
  expect((await findBillOf(runtime().db, access, id))?.expiresAt).toBeNull();
  await closeExpired(runtime());
  expect(await closedAt(id)).toBeNull();
  expect(await ask(id)).not.toBe('closed');
});

test('a bill with an open attempt stays open until the attempt has ended, and a paid bill is not closed', async () => {
  const { id } = await expiringBill('0712345678');
  const paid = await expiringBill();
  await pay(runtime(), paid.id, 500_100n);
  runtime().advance(HOUR_MS);
  await closeExpired(runtime());
  expect([await closedAt(id), await closedAt(paid.id)]).toEqual([null, null]);
  // A reversal makes the paid bill an unpaid one that has expired.
  await pay(runtime(), paid.id, -500_100n);
  await closeExpired(runtime());
  expect(await closedAt(paid.id)).toBeInstanceOf(Date);
});
