import { expect, test } from 'vitest';
import { requestPrompt } from '@/lib/gateway/prompts/request-prompt';
import { updateProfile } from '@/lib/identity/merchants/store';
import { parseMobile } from '@/lib/platform/core/mobile';
import { testSandbox } from '@/testing/data/sandbox';
import { makeBill, makeMerchant, testRuntime } from '@/testing/runtime';
import { showPayPage } from './show-pay-page';

const runtime = testRuntime();
const sandbox = testSandbox(runtime);
const show = (billId: string, ownAttemptId: string | null = null) => showPayPage(runtime(), 'sandbox', billId, ownAttemptId);

async function request(billId: string, number: string, amount: bigint | null = null): Promise<string> {
  const mobile = parseMobile(number);
  if (mobile === null) throw new Error(`${number} is not a valid number`);
  const result = await requestPrompt(runtime(), { environment: 'sandbox', billId, mobile, amount });
  if (result.kind !== 'requested') throw new Error(result.kind);
  return result.attemptId;
}

test('part payments are offered only if the merchant allows them', async () => {
  const merchant = await makeMerchant(runtime());
  const billId = await makeBill(runtime(), merchant, { amount: 5_000 });
  expect((await show(billId))?.form?.amounts).toBeNull();
  await updateProfile(runtime().db, merchant.scope('sandbox'), { partialPayments: true });
  expect((await show(billId))?.form?.amounts).toMatchObject({ min: 50_000n, max: 500_000n, because: 'merchant' });
});

test('the device that started an attempt sees the prompt with its expiry, and is offered a failed one again', async () => {
  const billId = await makeBill(runtime(), await makeMerchant(runtime()), { amount: 5_000 });
  const own = await request(billId, '0712345002');
  expect((await show(billId, own))?.state).toMatchObject({ kind: 'sending', own: true, times: null });
  await sandbox.step();
  expect((await show(billId, own))?.state).toMatchObject({ kind: 'prompted', times: { until: expect.any(Date) } });
  await sandbox.settle(billId);
  expect((await show(billId, own))?.form?.again).toMatchObject({ id: own, mobile: '0712345002' });
  expect((await show(billId))?.form?.again).toBeNull();
});

test('the countdown of a sandbox prompt ends when the simulated provider lets it expire', async () => {
  const billId = await makeBill(runtime(), await makeMerchant(runtime()), { amount: 5_000 });
  const own = await request(billId, '0712345005');
  await sandbox.step();
  const state = (await show(billId, own))?.state;
  if (state?.kind !== 'prompted' || !state.times) throw new Error('it was not sent');
  const [step] = await runtime().db.query<{ dueAt: Date }>({ text: 'SELECT due_at AS "dueAt" FROM sandbox_step WHERE reference = $1' }, [
    state.attempt.ourReference,
  ]);
  const factor = runtime().settings.SANDBOX_DELAY_FACTOR;
  expect(Math.abs((step?.dueAt.getTime() ?? 0) - state.times.until.getTime())).toBeLessThanOrEqual(1_000 * factor);
  expect(state.times.until.getTime() - (state.attempt.sentAt?.getTime() ?? 0)).toBe(60_000 * factor);
});

test('the version changes exactly when the content of the page changes', async () => {
  const merchant = await makeMerchant(runtime());
  await updateProfile(runtime().db, merchant.scope('sandbox'), { partialPayments: true });
  const billId = await makeBill(runtime(), merchant, { amount: 5_000 });
  const version = async () => (await show(billId))?.version;
  const seen = [await version()];
  await request(billId, '0712345005', 100_000n);
  seen.push(await version());
  await sandbox.step();
  seen.push(await version());
  runtime().advance(31_000);
  seen.push(await version());
  expect(await version()).toBe(seen.at(-1));
  await runtime().db.query({ text: 'UPDATE bill SET closed_at = now() WHERE id = $1' }, [billId]);
  seen.push(await version());
  for (const change of ["description = 'Viti'", "customer_name = 'Asha'", "due_at = '2026-12-01'"]) {
    await runtime().db.query({ text: `UPDATE bill SET ${change} WHERE id = $1` }, [billId]);
    seen.push(await version());
  }
  expect(new Set(seen).size).toBe(8);
});

test('an outcome between the reads of the bill and of its attempts leaves no page without its form', async () => {
  const billId = await makeBill(runtime(), await makeMerchant(runtime()), { amount: 5_000 });
  const own = await request(billId, '0712345002');
  await sandbox.step();
  let reads = 0;
  const db = new Proxy(runtime().db, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      if (name !== 'query') return value.bind(target);
      return async (...values: unknown[]) => {
        const rows: unknown = await Reflect.apply(value, target, values);
        reads += 1;
        if (reads === 1) await sandbox.settle(billId);
        return rows;
      };
    },
  });
  expect(await showPayPage({ ...runtime(), db }, 'sandbox', billId, own)).toMatchObject({
    state: { kind: 'ready' },
    form: { payable: 500_000n, again: { id: own } },
  });
});
