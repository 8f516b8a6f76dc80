import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addMs, HOUR_MS, MINUTE_MS } from '@/lib/core/clock';
import { eastAfricanDay } from '@/lib/core/east-african-day';
import { newId } from '@/lib/core/ids';
import { openReview } from '@/lib/reviews/open-review';
import { letIn } from '@/lib/testing/data/access';
import { makeOwing } from '@/lib/testing/data/due-deliveries';
import { makePastDays } from '@/lib/testing/data/past-days';
import { pay } from '@/lib/testing/data/paying';
import { leaveUnmatched } from '@/lib/testing/data/waiting-money';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/lib/testing/runtime';
import { addDays, PERIODS, type Period, startOf } from './periods';
import { rollUpDays } from './roll-up-days';
import { type Overview, showOverview } from './show-overview';

const runtime = testRuntime();
const rows = (text: string, ...values: unknown[]) => runtime().db.query({ text }, values);
let merchant: TestMerchant;
let stranger: TestMerchant;

// Starts at noon in East Africa, so that no test crosses midnight.
beforeAll(() => {
  const now = runtime().clock();
  runtime().advance(addMs(startOf(addDays(eastAfricanDay(now), 1)), 12 * HOUR_MS).getTime() - now.getTime());
});

beforeEach(async () => {
  merchant = await makeMerchant(runtime());
  stranger = await makeMerchant(runtime());
});

async function overview(of = merchant, period: Period = 30, clock = runtime().clock): Promise<Overview> {
  const shown = await showOverview({ ...runtime(), clock }, await letIn(runtime(), of), { period });
  if (!shown.ok) throw new Error(shown.error);
  return shown.value;
}

/** Returns the items of a merchant. Another merchant must have none. */
async function attention(of = merchant) {
  expect((await overview(stranger)).attention).toEqual([]);
  return (await overview(of)).attention;
}

const billWithPrompt = (reference: string) => makeBill(runtime(), merchant, { amount: 5000, reference, mobile: '0754000001' });
const minutesAgo = (minutes: number) => new Date(runtime().clock().getTime() - minutes * MINUTE_MS);

/** Creates bills and ends their attempts in this state. */
async function endPrompts(count: number, state: string, reason: string | null, endedAt = minutesAgo(1)): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const bill = await billWithPrompt(`P${n}`);
    await rows(
      'UPDATE push_attempt SET state = $2, failure_reason = $3, due_at = NULL, settled_at = $4 WHERE bill_id = $1',
      bill,
      state,
      reason,
      endedAt,
    );
  }
}

test('a new merchant has no items and no income', async () => {
  const { attention: items, steps, totals, intervals, days } = await overview();
  expect({ items, steps }).toEqual({ items: [], steps: { key: false, bill: false, webhook: false } });
  expect(totals).toMatchObject({ net: 0n, payments: 0, averageMs: null });
  expect(intervals.map(({ interval, net, change }) => [interval, net, change])).toEqual([
    ['today', 0n, null],
    ['week', 0n, null],
    ['month', 0n, null],
  ]);
  expect(days).toHaveLength(30);
});

test('only roles with the permission may see the overview', async () => {
  const collector = await letIn(runtime(), merchant, { role: 'collector' });
  expect(await showOverview(runtime(), collector, { period: 7 })).toEqual({ ok: false, error: 'not_allowed' });
});

describe('items that need attention', () => {
  test('an attempt with an unknown outcome for 15 minutes, until it is released', async () => {
    const bill = await billWithPrompt('LOST');
    const setUnknown = (since: Date) =>
      rows("UPDATE push_attempt SET state = 'UNKNOWN', unknown_since = $2 WHERE bill_id = $1", bill, since);
    await setUnknown(minutesAgo(14));
    expect(await attention()).toEqual([]);
    await setUnknown(minutesAgo(16));
    expect(await attention()).toMatchObject([
      {
        kind: 'payments_unknown',
        severity: 'bad',
        count: 1,
        page: 'bills',
        since: expect.any(Date),
        bills: [{ id: bill, reference: 'LOST' }],
      },
    ]);
    await rows('UPDATE push_attempt SET released_at = now() WHERE bill_id = $1', bill);
    expect(await attention()).toEqual([]);
  });

  test('an open review, with its bill', async () => {
    const bill = await billWithPrompt('DISPUTED');
    const [attempt] = await runtime().db.query<{ id: string }>({ text: 'SELECT id FROM push_attempt WHERE bill_id = $1' }, [bill]);
    const review = { environment: 'sandbox', kind: 'contradiction', data: {}, openedAt: runtime().clock() } as const;
    await openReview(runtime().db, { ...review, id: newId(runtime()), merchantId: merchant.merchant.id, attemptId: attempt?.id ?? '' });
    expect(await attention()).toMatchObject([{ kind: 'reviews_open', severity: 'wait', count: 1, bills: [{ id: bill }] }]);
    await rows("UPDATE review SET resolved_at = now(), resolved_by = 'test', resolution = 'ok' WHERE attempt_id = $1", attempt?.id);
    expect(await attention()).toEqual([]);
  });

  test('an endpoint that fails, is disabled or paused, with the number of waiting bills', async () => {
    merchant = await makeOwing(runtime(), { count: 3 });
    expect(await attention()).toEqual([]);
    const set = (changes: string) => rows(`UPDATE webhook_endpoint SET ${changes} WHERE merchant_id = $1`, merchant.merchant.id);
    await set("failing_since = now() - interval '1 hour', failure_count = 9");
    expect(await attention()).toMatchObject([{ kind: 'endpoint_failing', severity: 'bad', count: 3, page: 'webhooks' }]);
    await set("status = 'disabled', disabled_reason = 'gone'");
    expect(await attention()).toMatchObject([{ kind: 'endpoint_gone', count: 3 }]);
    await set("disabled_reason = 'failing'");
    expect(await attention()).toMatchObject([{ kind: 'endpoint_disabled', count: 3 }]);
    await set("status = 'paused', disabled_reason = NULL");
    expect(await attention()).toMatchObject([{ kind: 'endpoint_paused', severity: 'wait', count: 3 }]);
  });

  test('deliveries that were exhausted in the last 30 days', async () => {
    merchant = await makeOwing(runtime(), { count: 2 });
    await rows(
      "UPDATE webhook_delivery SET state = 'EXHAUSTED', due_at = NULL, settled_at = now() WHERE merchant_id = $1",
      merchant.merchant.id,
    );
    expect(await attention()).toMatchObject([{ kind: 'deliveries_exhausted', severity: 'wait', count: 2, bills: [{}, {}] }]);
  });

  test('a second payment that belongs to no bill, until the operator has decided what happens to it', async () => {
    const bill = await billWithPrompt('TWICE');
    const payment = await leaveUnmatched(runtime(), merchant, bill);
    expect(await attention()).toMatchObject([
      { kind: 'money_unmatched', severity: 'wait', count: 1, amount: 500_000n, bills: [{ id: bill }] },
    ]);
    await rows("INSERT INTO refund_mark (payment_id, reason, created_by, created_at) VALUES ($1, 'sent back', 'test', now())", payment);
    expect(await attention()).toEqual([]);
  });

  test('a bill that was overpaid in the last 30 days, until the money is reversed', async () => {
    const exact = await makeBill(runtime(), merchant, { amount: 12_500.5, reference: 'ROUNDED' });
    await pay(runtime(), exact, 1_250_100n);
    expect(await attention()).toEqual([]);
    const bill = await makeBill(runtime(), merchant, { amount: 7_000, reference: 'TWICE' });
    await pay(runtime(), bill, 700_000n);
    await pay(runtime(), bill, 700_000n);
    await pay(runtime(), exact, 50_000n);
    expect(await attention()).toMatchObject([
      { kind: 'bills_overpaid', severity: 'wait', count: 2, amount: 750_000n, bills: [{ id: exact }, { id: bill, reference: 'TWICE' }] },
    ]);
    await pay(runtime(), bill, -700_000n);
    await pay(runtime(), exact, -50_000n);
    expect(await attention()).toEqual([]);
  });

  test('a key that expires within two weeks, but not if it is revoked, rolled, expired or valid for longer', async () => {
    const until = async (interval: string, changes = '') => {
      const { id: keyId } = await merchant.key('sandbox');
      await rows(`UPDATE api_key SET expires_at = now() + $2::interval ${changes} WHERE id = $1`, keyId, interval);
    };
    await until('20 days');
    await until('-1 day');
    await until('3 days', ', revoked_at = now()');
    const [old, successor] = [await merchant.key('sandbox'), await merchant.key('sandbox')];
    await rows("UPDATE api_key SET expires_at = now() + interval '3 days' WHERE id = $1", old.id);
    await rows('UPDATE api_key SET replaces_id = $2 WHERE id = $1', successor.id, old.id);
    expect(await attention()).toEqual([]);
    await until('3 days');
    await until('2 days', ", label = 'Till 4'");
    expect(await attention()).toMatchObject([
      { kind: 'keys_expiring', severity: 'wait', count: 2, names: ['Till 4', 'test'], page: 'keys' },
    ]);
  });

  test('a network that customers use and no provider account serves any more', async () => {
    await endPrompts(1, 'SUCCEEDED', null, minutesAgo(60));
    expect(await attention()).toEqual([]);
    const networks = await runtime().db.query<{ networks: string[] }>({
      text: "SELECT networks FROM provider_account WHERE environment = 'sandbox'",
    });
    await rows("UPDATE provider_account SET networks = '{yas}' WHERE environment = 'sandbox'");
    expect(await attention()).toMatchObject([{ kind: 'network_unserved', severity: 'bad', count: 1, names: ['vodacom'] }]);
    await rows("UPDATE provider_account SET networks = $1 WHERE environment = 'sandbox'", networks[0]?.networks);
  });

  test('a network that was unavailable much more often than usual', async () => {
    await endPrompts(2, 'FAILED', 'provider_unavailable');
    expect(await attention()).toEqual([]);
    await endPrompts(12, 'SUCCEEDED', null, minutesAgo(26 * 60));
    await endPrompts(1, 'FAILED', 'provider_unavailable');
    expect(await attention()).toMatchObject([
      { kind: 'network_failing', severity: 'bad', count: 3, names: ['vodacom'], since: expect.any(Date) },
    ]);
    // If a network is always this bad, it is not reported.
    await endPrompts(12, 'FAILED', 'provider_unavailable', minutesAgo(26 * 60));
    expect(await attention()).toEqual([]);
  });

  test('attempts that failed today because a number had received too many prompts', async () => {
    await endPrompts(2, 'FAILED', 'too_many_prompts', runtime().clock());
    expect(await attention()).toMatchObject([{ kind: 'prompts_limited', severity: 'wait', count: 2 }]);
  });

  test.each(['pending', 'suspended', 'closed'])('a merchant that is %s', async (status) => {
    await rows('UPDATE merchant_profile SET status = $2 WHERE merchant_id = $1', merchant.merchant.id, status);
    expect(await attention()).toMatchObject([{ kind: `merchant_${status}`, severity: status === 'pending' ? 'wait' : 'bad' }]);
  });

  test('urgent items come before those that can wait', async () => {
    await rows("UPDATE merchant_profile SET status = 'pending' WHERE merchant_id = $1", merchant.merchant.id);
    await rows('UPDATE webhook_endpoint SET failing_since = now(), failure_count = 1 WHERE merchant_id = $1', merchant.merchant.id);
    expect((await attention()).map(({ severity }) => severity)).toEqual(['bad', 'wait']);
  });
});

describe('figures', () => {
  test('contain only the merchant and the environment, minus reversals', async () => {
    const bill = await makeBill(runtime(), merchant, { amount: 5000 });
    await pay(runtime(), bill, 300_000n);
    await pay(runtime(), bill, 200_000n);
    const back = await makeBill(runtime(), merchant, { amount: 700 });
    await pay(runtime(), back, 70_000n);
    await pay(runtime(), back, -70_000n);
    await makeBill(runtime(), merchant, { amount: 9000, environment: 'live' });
    await pay(runtime(), await makeBill(runtime(), stranger, { amount: 1234 }), 123_400n);
    const { intervals, totals, steps } = await overview();
    expect(intervals[0]).toMatchObject({
      collected: 570_000n,
      reversed: 70_000n,
      net: 500_000n,
      payments: 3,
      billsCreated: 2,
      billsPaid: 1,
    });
    expect(totals).toMatchObject({ net: 500_000n, billsPaid: 1, averageMs: expect.any(Number) });
    expect(steps.bill).toBe(true);
  });

  test('are the same whether a worker has summed up the days or not, for every period', async () => {
    const now = runtime().clock();
    await makePastDays(runtime().db, merchant.scope('sandbox'), { bills: 400, days: 95, now });
    await makePastDays(runtime().db, stranger.scope('sandbox'), { bills: 50, days: 95, now });
    const all = () => Promise.all(PERIODS.map((period) => overview(merchant, period, () => now)));
    const counted = await all();
    await rollUpDays({ ...runtime(), clock: () => addMs(now, HOUR_MS) });
    const [covered] = await runtime().db.query<{ n: number }>(
      { text: 'SELECT count(*)::int AS n FROM payment_day WHERE merchant_id = $1' },
      [merchant.merchant.id],
    );
    expect(covered?.n).toBeGreaterThan(90);
    expect(await all()).toEqual(counted);
    const quarter = counted[2];
    expect(quarter?.days.reduce((sum, { net }) => sum + net, 0n)).toBe(quarter?.totals.net);
    expect(quarter?.networks.reduce((sum, { ended }) => sum + ended, 0)).toBeGreaterThan(350);
  });
});
