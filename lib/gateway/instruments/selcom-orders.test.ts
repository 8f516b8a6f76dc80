import { afterEach, beforeEach, expect, test } from 'vitest';
import { addMs, HOUR_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import { newId } from '@/lib/platform/core/ids';
import { roundUpToShilling } from '@/lib/platform/core/money';
import { encryptCredentials, insertAccount } from '@/lib/providers/accounts/account-store';
import { createRegistry } from '@/lib/providers/registry';
import { startSelcomSimulator } from '@/lib/providers/selcom/simulator';
import { makeBill, makeMerchant, testRuntime } from '@/testing/runtime';
import { askInstruments } from './ask-instruments';
import { claimInstruments, listInstruments } from './store';
import { workInstrument } from './work-instrument';

// A status query of Selcom does not repeat what was issued, a paid order cannot be cancelled, and callbacks are not signed.
const runtime = testRuntime({ SANDBOX_BASE_URL: 'http://127.0.0.1:9' });
let simulator: Awaited<ReturnType<typeof startSelcomSimulator>>;
let billId: string;

beforeEach(async () => {
  const { db, clock, random } = runtime();
  await db.query({ text: 'UPDATE provider_account SET disabled_at = $1 WHERE disabled_at IS NULL' }, [clock()]);
  await db.query({ text: 'UPDATE instrument SET due_at = NULL' });
  simulator = await startSelcomSimulator({ clock, random });
  const id = newId(runtime());
  await insertAccount(db, {
    id,
    environment: 'sandbox',
    merchantId: null,
    provider: 'selcom',
    label: 'selcom',
    networks: ['vodacom'],
    encryptedCredentials: encryptCredentials(runtime(), id, JSON.stringify(simulator.credentials)),
    createdAt: clock(),
  });
  billId = await makeBill(runtime(), await makeMerchant(runtime()));
});
afterEach(() => simulator.stop());

const worker = () => ({ ...runtime(), providers: createRegistry(runtime(), null) });

/** Does the work that is due within the given time. Returns the instruments of the bill. */
async function work(withinMs = 0) {
  const until = addMs(runtime().clock(), withinMs);
  for (;;) {
    const { db, clock } = runtime();
    const claimed = await claimInstruments(db, { now: clock(), leaseUntil: addMs(clock(), MINUTE_MS), limit: 10 });
    for (const instrument of claimed) await workInstrument(worker(), instrument, new AbortController().signal);
    if (claimed.length > 0) continue;
    if (clock() >= until) return listInstruments(db, billId);
    runtime().advance(MINUTE_MS);
  }
}

test('an order is paid without a callback, and a status query books the payment', async () => {
  await askInstruments(worker(), billId, 'customer');
  const [instrument] = await work();
  expect(instrument).toMatchObject({ state: 'ACTIVE', number: simulator.instruments[0]?.number, qr: simulator.instruments[0]?.qr });
  simulator.payInstrument({ number: instrument?.number ?? '', callback: false });
  expect(await work(HOUR_MS)).toMatchObject([{ state: 'ENDED', endReason: 'paid' }]);
  const { amount, paidAmount } = await runtime().db.prisma.bill.findUniqueOrThrow({ where: { id: billId } });
  expect(paidAmount).toBe(roundUpToShilling(amount));
});

test('if the answer is lost, the order is cancelled and nobody is shown it, and another one can be asked for', async () => {
  simulator.control({ failInstruments: ['unanswered'] });
  await askInstruments(worker(), billId, 'customer');
  expect(await work()).toMatchObject([{ state: 'UNKNOWN' }]);
  expect(await work(HOUR_MS)).toMatchObject([{ state: 'ENDED', endReason: 'lost', number: null }]);
  expect(simulator.instruments).toMatchObject([{ cancelledAt: expect.any(Number) }]);
  await askInstruments(worker(), billId, 'customer');
  expect(await work()).toMatchObject([{ state: 'ENDED' }, { state: 'ACTIVE' }]);
});
