import { expect, test } from 'vitest';
import { parseMobile } from '@/lib/core/mobile';
import { updateProfile } from '@/lib/merchants/store';
import { requestPrompt } from '@/lib/payments/prompts/request-prompt';
import { testSandbox } from '@/lib/testing/data/sandbox';
import { makeBill, makeMerchant, testRuntime } from '@/lib/testing/runtime';
import { showPayPage } from './show-pay-page';

const runtime = testRuntime();
const sandbox = testSandbox(runtime);
const show = (billId: string, ownAttemptId: string | null = null) => showPayPage(runtime(), 'sandbox', billId, ownAttemptId);

async function ask(billId: string, number: string, amount: bigint | null = null): Promise<string> {
  const mobile = parseMobile(number);
  if (mobile === null) throw new Error(`${number} is no number`);
  const asked = await requestPrompt(runtime(), { billId, mobile, amount });
  if (asked.kind !== 'requested') throw new Error(asked.kind);
  return asked.attemptId;
}

test('a part is offered where the merchant takes parts, and only there', async () => {
  const merchant = await makeMerchant(runtime());
  const billId = await makeBill(runtime(), merchant, { amount: 5_000 });
  expect((await show(billId))?.form?.amounts).toBeNull();
  await updateProfile(runtime().db, merchant.scope('sandbox'), { partialPayments: true });
  expect((await show(billId))?.form?.amounts).toMatchObject({ min: 50_000n, max: 500_000n, because: 'merchant' });
});

test('who asked is shown the prompt, with how long its provider lets it live; a failed one is offered again', async () => {
  const billId = await makeBill(runtime(), await makeMerchant(runtime()), { amount: 5_000 });
  const own = await ask(billId, '0712345002');
  expect((await show(billId, own))?.state).toMatchObject({ kind: 'prompted', own: true, times: null });
  await sandbox.step();
  expect((await show(billId, own))?.state).toMatchObject({ kind: 'prompted', times: { until: expect.any(Date) } });
  await sandbox.settle(billId);
  expect((await show(billId, own))?.form?.again).toMatchObject({ id: own, mobile: '0712345002' });
  expect((await show(billId))?.form?.again).toBeNull();
});

test('a sandbox prompt is counted down to the moment at which the simulated provider ends it', async () => {
  const billId = await makeBill(runtime(), await makeMerchant(runtime()), { amount: 5_000 });
  const own = await ask(billId, '0712345005');
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

test('the version changes with everything that the page says, and with nothing else', async () => {
  const merchant = await makeMerchant(runtime());
  await updateProfile(runtime().db, merchant.scope('sandbox'), { partialPayments: true });
  const billId = await makeBill(runtime(), merchant, { amount: 5_000 });
  const version = async () => (await show(billId))?.version;
  const seen = [await version()];
  await ask(billId, '0712345005', 100_000n);
  seen.push(await version());
  await sandbox.step();
  seen.push(await version());
  runtime().advance(31_000);
  seen.push(await version());
  expect(await version()).toBe(seen.at(-1));
  await runtime().db.query({ text: 'UPDATE bill SET closed_at = now() WHERE id = $1' }, [billId]);
  seen.push(await version());
  expect(new Set(seen).size).toBe(5);
});
