import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { addMs, DAY_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { newPaymentReference } from '@/lib/platform/core/ids';
import { testReceiver } from '@/testing/fakes/receiver';
import { newPrompt, REFUND } from '@/testing/providers/samples';
import { testRuntime } from '@/testing/runtime';
import { createSandboxAdapter } from './adapter';
import { startSimulator, writeStatement } from './simulator';
import { deleteOldPrompts, KEPT_DAYS } from './store';
import { reportSchema } from './wire';

const runtime = testRuntime();
const receiver = testReceiver();
const REFERENCE = 'A'.repeat(20);

test('a callback that is not accepted is sent three times, and status queries show the payment meanwhile', async () => {
  const simulator = await startSimulator({ ...runtime(), callbackKey: runtime().secrets.key('sandbox-provider') });
  const status = async () => (await (await fetch(`${simulator.url}/v1/prompts/${REFERENCE}`)).json()).status;
  const prompt = { reference: REFERENCE, mobile: '255712345001', amount: 5000, callbackUrl: 'http://127.0.0.1:9/' };
  await fetch(`${simulator.url}/v1/prompts`, { method: 'POST', body: JSON.stringify(prompt) });
  expect(await status()).toBe('PENDING');
  runtime().advance(2 * SECOND_MS);
  for (const called of [1, 0]) {
    expect(await simulator.announceDue(1)).toBe(called);
    expect(await status()).toBe('PAID');
  }
  runtime().advance(2 * SECOND_MS);
  expect(await simulator.announceDue(1)).toBe(1);
  runtime().advance(2 * SECOND_MS);
  expect(await simulator.announceDue(1)).toBe(1);
  runtime().advance(2 * SECOND_MS);
  expect(await simulator.announceDue(1)).toBe(0);
  await simulator.stop();
});

describe('refunds', () => {
  const MOBILES = { ok: '0712345001', quiet: '0712345007', twice: '0712345008' };
  const account = { id: 'a', environment: 'sandbox', provider: 'sandbox', networks: [], credentials: null } as const;
  const { signal } = new AbortController();

  /** Makes a payment of TZS 5,000 and the calls about it. */
  async function pay(mobile: string) {
    const callbackKey = runtime().secrets.key('sandbox-provider');
    const simulator = await startSimulator({ ...runtime(), callbackKey });
    const adapter = createSandboxAdapter({ url: simulator.url, callbackKey, delayFactor: 1 });
    const from = { ...account, callbackUrl: receiver.url() };
    const prompt = newPrompt({ reference: newPaymentReference(runtime().random), mobile, network: 'yas' });
    await adapter.send(from, prompt, signal);
    runtime().advance(2 * SECOND_MS);
    await simulator.announceDue(10);
    receiver.received.length = 0;
    const refundOf = (amount: bigint, reference = newPaymentReference(runtime().random)) => {
      const { reversals } = adapter;
      if (!reversals) throw new Error('the simulated provider reverses payments');
      const refund = { ...REFUND, reference, promptReference: prompt.reference, mobile, amount };
      return {
        send: async () => reversals.readAnswer(await reversals.send(from, refund, signal), refund),
        find: async () => reversals.readStatus(await reversals.query(from, refund, signal), refund),
      };
    };
    const status = async () => adapter.readStatus(await adapter.query(from, prompt, signal), prompt);
    return { simulator, refundOf, status };
  }

  test('several reversals of one payment have their own receipts, and are never more than the payment', async () => {
    const { simulator, refundOf, status } = await pay(MOBILES.ok);
    const first = refundOf(200_000n);
    expect(await first.send()).toEqual({ kind: 'pending' });
    expect(await refundOf(300_100n).send()).toEqual({ kind: 'failed', reason: 'rejected' });
    // Two requests at the same time for what is left.
    const rest = [refundOf(300_000n), refundOf(300_000n)];
    const kinds = (await Promise.all(rest.map(({ send }) => send()))).map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(['failed', 'pending']);
    const second = rest[kinds.indexOf('pending')];
    const found = [await first.find(), await second?.find()];
    expect(found).toMatchObject([
      { kind: 'refunded', amount: 200_000n },
      { kind: 'refunded', amount: 300_000n },
    ]);
    const receipts = found.map((one) => (one?.kind === 'refunded' ? one.transactionId : null));
    expect(new Set(receipts).size).toBe(2);
    expect(await status()).toMatchObject({ kind: 'reversed', amount: 500_000n, reversed: 300_000n, reversalTransactionId: receipts[1] });
    expect(await refundOf(100n).send()).toEqual({ kind: 'failed', reason: 'rejected' });

    await simulator.announceDue(10);
    const reported = receiver.received.map(({ body }) => reportSchema.parse(JSON.parse(body)));
    expect(reported.map(({ reversedAmount, reversalReceipt }) => [reversedAmount, reversalReceipt])).toEqual([
      [2_000, receipts[0]],
      [3_000, receipts[1]],
    ]);
    await simulator.stop();
  });

  test.each([
    [0, MOBILES.quiet],
    [2, MOBILES.twice],
  ])('%i callbacks about a reversal of a payment from %s', async (count, mobile) => {
    const { simulator, refundOf } = await pay(mobile);
    const refund = refundOf(500_000n);
    expect(await refund.send()).toEqual({ kind: 'pending' });
    expect(await refund.find()).toMatchObject({ kind: 'refunded', amount: 500_000n });
    await simulator.announceDue(10);
    expect(receiver.received).toHaveLength(count);
    await simulator.stop();
  });

  test('a slow reversal is done after a minute', async () => {
    const { simulator, refundOf, status } = await pay('0712345012');
    const refund = refundOf(500_000n);
    await refund.send();
    runtime().advance(59 * SECOND_MS);
    expect([await refund.find(), await status()]).toMatchObject([{ kind: 'pending' }, { kind: 'paid' }]);
    // It counts before it is done.
    expect(await refundOf(100n).send()).toEqual({ kind: 'failed', reason: 'rejected' });
    runtime().advance(2 * SECOND_MS);
    expect([await refund.find(), await status()]).toMatchObject([{ kind: 'refunded' }, { kind: 'reversed' }]);
    await simulator.stop();
  });

  test('a repeated reference reverses nothing', async () => {
    const { simulator, refundOf } = await pay(MOBILES.ok);
    const reference = newPaymentReference(runtime().random);
    await refundOf(100_000n, reference).send();
    expect(await refundOf(200_000n, reference).send()).toEqual({ kind: 'unknown' });
    expect(await refundOf(0n, reference).find()).toMatchObject({ amount: 100_000n });
    await simulator.stop();
  });

  test('a statement has a line for each reversal, and none of its payments is a payout', async () => {
    const { simulator, refundOf } = await pay(MOBILES.ok);
    const { clock, db } = runtime();
    const from = addMs(clock(), -2 * SECOND_MS);
    await refundOf(200_000n).send();
    await refundOf(300_000n).send();
    const payout = { reference: newPaymentReference(runtime().random), mobile: '255712345678', amount: 700 };
    await fetch(`${simulator.url}/v1/payouts`, { method: 'POST', body: JSON.stringify(payout) });
    runtime().advance(1);
    const { csv } = await writeStatement({ db, clock }, { from, to: clock() });
    const lines: Record<string, string>[] = parse(csv, { columns: true, bom: true });
    const [receipt = ''] = lines.filter(({ Type }) => Type === 'payment').map(({ Receipt }) => Receipt);
    expect(lines.map(({ Status, Type, Amount, Reverses }) => [Status, Type, Amount, Reverses])).toEqual([
      ['PAID', 'payment', '5000', ''],
      ['PAID', 'reversal', '2000', receipt],
      ['PAID', 'reversal', '3000', receipt],
      ['PAID_OUT', 'payout', '700', ''],
    ]);
    await simulator.stop();
  });

  test('old refunds are deleted with their prompts, and new ones stay with theirs', async () => {
    const { simulator, refundOf } = await pay(MOBILES.ok);
    await refundOf(100_000n).send();
    await simulator.announceDue(10);
    runtime().advance((KEPT_DAYS - 1) * DAY_MS);
    const late = refundOf(200_000n);
    await late.send();
    await simulator.announceDue(10);
    runtime().advance(2 * DAY_MS);
    await deleteOldPrompts(runtime());
    expect(await late.find()).toMatchObject({ kind: 'refunded' });
    runtime().advance(KEPT_DAYS * DAY_MS);
    await deleteOldPrompts(runtime());
    const { sandboxRefund, sandboxStep, sandboxPrompt } = runtime().db.prisma;
    expect([await sandboxRefund.count(), await sandboxStep.count(), await sandboxPrompt.count()]).toEqual([0, 0, 0]);
    await simulator.stop();
  });
});
