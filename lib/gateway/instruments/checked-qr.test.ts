import { expect, test } from 'vitest';
import { MINUTE_MS } from '@/lib/platform/core/clock';
import { formatQr } from '@/lib/platform/core/emv';
import type { Instruments, IssuedWays } from '@/lib/providers/port/instrument';
import { testSandbox } from '@/testing/data/sandbox';
import { makeBill, makeMerchant, testRuntime } from '@/testing/runtime';
import { askInstruments } from './ask-instruments';
import { claimInstruments, listInstruments } from './store';
import { workInstrument } from './work-instrument';

const runtime = testRuntime({ SANDBOX_BASE_URL: 'http://127.0.0.1:9' });
const sandbox = testSandbox(runtime);
const code = { acquirer: '999', account: '12345678', merchantName: 'Duka', reference: '12345678' };
const [GOOD, OTHER_AMOUNT] = [formatQr({ ...code, amount: 500_000n }), formatQr({ ...code, amount: 600_000n })];

/** Issues an instrument at a provider that answers with the given ways. @param answered whether its answer arrives. */
async function issue(ways: IssuedWays, answered: boolean) {
  const issued = { kind: 'issued', ways, providerReference: null, expiresAt: null } as const;
  const change = (instruments: Instruments): Instruments => ({
    ...instruments,
    readAnswer: () => (answered ? issued : { kind: 'unknown' }),
    readStatus: () => ({ kind: 'open', payments: [], issued }),
  });
  const worker = sandbox.runtime();
  const find = (name: string) => {
    const adapter = worker.providers.find(name);
    return adapter?.instruments ? { ...adapter, instruments: change(adapter.instruments) } : adapter;
  };
  const merchant = await makeMerchant(runtime());
  const billId = await makeBill(runtime(), merchant, { amount: 5_000, mobile: null });
  await askInstruments(worker, billId, 'test');
  for (let step = 0; step < (answered ? 1 : 2); step += 1) {
    const lease = { now: runtime().clock(), leaseUntil: new Date(runtime().clock().getTime() + MINUTE_MS), limit: 10 };
    for (const claimed of await claimInstruments(runtime().db, lease))
      await workInstrument({ ...worker, providers: { ...worker.providers, find } }, claimed, new AbortController().signal);
    runtime().advance(4_000);
  }
  const [instrument] = await listInstruments(runtime().db, billId);
  return instrument;
}

test.each([true, false])('a QR text that is wrong is never stored (answered: %s)', async (answered) => {
  expect(await issue({ number: '12345678', qr: GOOD, link: null }, answered)).toMatchObject({ state: 'ACTIVE', qr: GOOD });
  for (const qr of [OTHER_AMOUNT, GOOD.slice(0, -1), 'https://example.com'])
    expect(await issue({ number: '12345678', qr, link: null }, answered), qr).toMatchObject({
      state: 'ACTIVE',
      number: '12345678',
      qr: null,
    });
});

test('an instrument with nothing but a wrong QR text is refused', async () => {
  const ended = { state: 'ENDED', qr: null, number: null };
  expect(await issue({ number: null, qr: OTHER_AMOUNT, link: null }, true)).toMatchObject({
    ...ended,
    endReason: 'refused',
    failureReason: 'rejected',
  });
  expect(await issue({ number: null, qr: OTHER_AMOUNT, link: null }, false)).toMatchObject({ ...ended, endReason: 'lost' });
});
