import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listAlerts } from '@/lib/backoffice/alerts/list-alerts';
import { requestActivation } from '@/lib/backoffice/merchants/request-activation';
import { allocatePayment } from '@/lib/gateway/ledger/allocate-payment';
import { insertUnmatchedPayment } from '@/lib/gateway/ledger/bookings';
import { correctPayment } from '@/lib/gateway/ledger/correct-payment';
import { refundOutside } from '@/lib/gateway/refunds/ask-refund';
import { openReview } from '@/lib/gateway/reviews/store';
import type { MerchantAccess } from '@/lib/identity/accounts/access/grant-access';
import { findMerchant } from '@/lib/identity/merchants/store';
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import { eastAfricanDay } from '@/lib/platform/core/east-african-day';
import { newId } from '@/lib/platform/core/ids';
import { insertAccount } from '@/lib/providers/accounts/account-store';
import { joinAs, letIn } from '@/testing/data/access';
import { makeOwing } from '@/testing/data/due-deliveries';
import { makePastDays } from '@/testing/data/past-days';
import { pay } from '@/testing/data/paying';
import { leaveUnmatched } from '@/testing/data/waiting-money';
import { makeBill, makeMerchant, TEST_OPERATOR, type TestMerchant, testRuntime } from '@/testing/runtime';
import { type AskedRange, addDays, startOf } from './periods';
import { rollUpDays } from './roll-up-days';
import { hideFirstSteps, type Overview, showOverview } from './show-overview';

const runtime = testRuntime();
const rows = (text: string, ...values: unknown[]) => runtime().db.query({ text }, values);
let merchant: TestMerchant;
let stranger: TestMerchant;

// The test's clock starts at noon in East Africa, so that no test crosses midnight.
beforeAll(() => {
  const now = runtime().clock();
  runtime().advance(addMs(startOf(addDays(eastAfricanDay(now), 1)), 12 * HOUR_MS).getTime() - now.getTime());
});

beforeEach(async () => {
  merchant = await makeMerchant(runtime());
  stranger = await makeMerchant(runtime());
});

async function overview(of = merchant, asked: AskedRange = {}, clock = runtime().clock): Promise<Overview> {
  const shown = await showOverview({ ...runtime(), clock }, await letIn(runtime(), of), { asked });
  if (!shown.ok) throw new Error(shown.error);
  return shown.value;
}

/** Returns the attention items of a merchant. Expects that another merchant has none. */
async function attention(of = merchant) {
  expect((await overview(stranger)).attention).toEqual([]);
  return (await overview(of)).attention;
}

const billWithPrompt = (reference: string) => makeBill(runtime(), merchant, { amount: 5000, reference, mobile: '0754000001' });
const minutesAgo = (minutes: number) => new Date(runtime().clock().getTime() - minutes * MINUTE_MS);

/** Creates bills and ends their attempts in the given state. */
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
  const { attention: items, steps, totals, before, unpaid, days } = await overview();
  expect({ items, steps }).toEqual({
    items: [],
    steps: { key: false, bill: false, webhook: false, support: false, team: false, hidden: false },
  });
  expect(totals).toMatchObject({ net: 0n, payments: 0, averageMs: null });
  expect(before).toMatchObject({ net: 0n, change: null });
  expect(unpaid).toMatchObject({ bills: 0, amount: 0n });
  expect(days).toHaveLength(7);
});

test('only roles with the permission may see the overview', async () => {
  const collector = await letIn(runtime(), merchant, { role: 'collector' });
  expect(await showOverview(runtime(), collector, { asked: {} })).toEqual({ ok: false, error: 'not_allowed' });
});

test('first steps are dismissed by one member in one environment', async () => {
  const owner = await letIn(runtime(), merchant);
  const admin = await joinAs(runtime(), merchant, 'admin');
  const hidden = async (access: MerchantAccess) => {
    const shown = await showOverview(runtime(), access, { asked: {} });
    return shown.ok && shown.value.steps.hidden;
  };
  expect(await hideFirstSteps(runtime(), owner)).toEqual({ ok: true, value: undefined });
  await hideFirstSteps(runtime(), owner);
  expect(await hidden(owner)).toBe(true);
  expect(await hidden(admin)).toBe(false);
  expect(await hidden(await letIn(runtime(), stranger))).toBe(false);
  const collector = await joinAs(runtime(), merchant, 'collector');
  expect(await hideFirstSteps(runtime(), collector)).toEqual({ ok: false, error: 'not_allowed' });
});

test('activation is requested once, by those who may change settings, and the operator sees it', async () => {
  await rows("UPDATE merchant_profile SET status = 'pending' WHERE merchant_id = $1 AND environment = 'live'", merchant.merchant.id);
  const live = await letIn(runtime(), merchant, { environment: 'live' });
  const steps = async () => {
    const shown = await showOverview(runtime(), live, { asked: {} });
    return shown.ok ? shown.value.activation : null;
  };
  expect(await steps()).toEqual({ tried: false, support: false, secondFactor: false, requestedAt: null });
  await pay(runtime(), await makeBill(runtime(), merchant, { amount: 10 }), 1_000n);
  const viewer = await joinAs(runtime(), merchant, 'viewer', 'live');
  expect(await requestActivation(runtime(), viewer)).toEqual({ ok: false, error: 'not_allowed' });
  expect(await requestActivation(runtime(), live)).toEqual({ ok: true, value: undefined });
  const at = (await steps())?.requestedAt;
  expect(at).toEqual(expect.any(Date));
  await requestActivation(runtime(), live);
  expect(await steps()).toMatchObject({ tried: true, requestedAt: at });
  const found = await findMerchant(runtime().db, merchant.merchant.id);
  expect(found?.profiles.map(({ activationRequestedAt }) => activationRequestedAt)).toEqual(expect.arrayContaining([null, at]));
  const entries = await rows("SELECT 1 FROM audit_entry WHERE merchant_id = $1 AND action = 'activation.requested'", merchant.merchant.id);
  expect(entries).toHaveLength(1);
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
    const back = { paymentId: payment, amount: null, reason: 'sent back', actor: TEST_OPERATOR };
    expect(await refundOutside(runtime(), back)).toMatchObject({ ok: true });
    expect(await attention()).toEqual([]);
  });

  test("a payment without a known reference to the merchant's own account, but not to another account", async () => {
    const makeTill = async (merchantId: string | null) => {
      const id = newId(runtime());
      const account = { id, environment: 'sandbox', provider: 'sandbox', label: 'Till', networks: [], encryptedCredentials: null } as const;
      await insertAccount(runtime().db, { ...account, merchantId, createdAt: runtime().clock() });
      return id;
    };
    const keep = async (id: string) => {
      const payment = {
        id: newId(runtime()),
        transactionId: newId(runtime()),
        amount: 500_000n,
        mobile: null,
        recordedAt: runtime().clock(),
      };
      await insertUnmatchedPayment(runtime().db, { ...payment, account: { id, environment: 'sandbox' } });
      return payment.id;
    };
    await keep(await makeTill(null));
    expect(await attention()).toEqual([]);
    const till = await makeTill(merchant.merchant.id);
    const [first, second] = [await keep(till), await keep(till)];
    expect(await rows('SELECT DISTINCT merchant_id FROM payment WHERE id = ANY ($1)', [first, second])).toEqual([
      { merchant_id: merchant.merchant.id },
    ]);
    expect(await attention()).toMatchObject([{ kind: 'money_unmatched', count: 2, amount: 1_000_000n, bills: [] }]);
    const access = await letIn(runtime(), merchant);
    const { alerts } = await listAlerts(runtime(), access, { topic: 'attention', before: null });
    expect(alerts).toMatchObject([
      { kind: 'unmatched', bill: null, amount: 500_000n },
      { kind: 'unmatched', bill: null, amount: 500_000n },
    ]);
    const billId = await makeBill(runtime(), merchant, { amount: 9_000 });
    const about = { paymentId: first, reason: 'his order', actor: TEST_OPERATOR };
    expect(await allocatePayment(runtime(), { ...about, billId, amount: 200_000n })).toMatchObject({ ok: true });
    expect(await attention()).toMatchObject([{ count: 2, amount: 800_000n }]);
    expect(await allocatePayment(runtime(), { ...about, billId, amount: null })).toMatchObject({ ok: true });
    expect(await attention()).toMatchObject([{ count: 1, amount: 500_000n }]);
    expect(await refundOutside(runtime(), { ...about, paymentId: second, amount: null })).toMatchObject({ ok: true });
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
    const accounts = await runtime().db.query<{ id: string; networks: string[] }>({
      text: "SELECT id, networks FROM provider_account WHERE environment = 'sandbox'",
    });
    await rows("UPDATE provider_account SET networks = '{yas}' WHERE environment = 'sandbox'");
    expect(await attention()).toMatchObject([{ kind: 'network_unserved', severity: 'bad', count: 1, names: ['vodacom'] }]);
    for (const { id, networks } of accounts) await rows('UPDATE provider_account SET networks = $2 WHERE id = $1', id, networks);
  });

  test('a network that was unavailable much more often than usual', async () => {
    await endPrompts(2, 'FAILED', 'provider_unavailable');
    expect(await attention()).toEqual([]);
    await endPrompts(12, 'SUCCEEDED', null, minutesAgo(26 * 60));
    await endPrompts(1, 'FAILED', 'provider_unavailable');
    expect(await attention()).toMatchObject([
      { kind: 'network_failing', severity: 'bad', count: 3, names: ['vodacom'], since: expect.any(Date) },
    ]);
    // A failure rate that is usual for the network is not reported.
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
    const { totals, steps, received, hours } = await overview(merchant, { range: 'today' });
    expect(totals).toMatchObject({
      collected: 570_000n,
      reversed: 70_000n,
      net: 500_000n,
      payments: 3,
      billsCreated: 2,
      billsPaid: 1,
    });
    expect(totals.averageMs).toEqual(expect.any(Number));
    expect(received.reduce((sum, { amount }) => sum + amount, 0n)).toBe(570_000n);
    expect(hours.reduce((sum, { payments }) => sum + payments, 0)).toBe(3);
    expect(steps.bill).toBe(true);
  });

  test('are compared with the same time of the days before', async () => {
    const now = runtime().clock();
    const at = (hours: number) => ({ ...runtime(), clock: () => addMs(now, hours * HOUR_MS) });
    await pay(at(-25), await makeBill(at(-26), merchant, { amount: 400 }), 40_000n);
    await pay(at(-23), await makeBill(at(-23), merchant, { amount: 900 }), 90_000n);
    await pay(at(0), await makeBill(at(0), merchant, { amount: 500 }), 50_000n);
    const { totals, before } = await overview(merchant, { range: 'today' }, () => now);
    expect(totals.net).toBe(50_000n);
    expect(before).toMatchObject({ net: 40_000n, change: 25, until: addMs(now, -24 * HOUR_MS) });
    expect((await overview(merchant, { range: 'yesterday' }, () => now)).totals.net).toBe(130_000n);
  });

  test('contain what is missing on open bills, by their age, also after a later part payment, a closing and a reversal', async () => {
    const now = runtime().clock();
    const made = (days: number, amount: number) =>
      makeBill({ ...runtime(), clock: () => addMs(now, -days * DAY_MS) }, merchant, { amount });
    const [today, , month, old, closed, paid] = await Promise.all([
      made(0, 10),
      made(7, 20),
      made(8, 40),
      made(31, 80),
      made(3, 160),
      made(2, 320),
    ]);
    await makeBill(runtime(), stranger, { amount: 5_000 });
    await rollUpDays({ ...runtime(), clock: () => addMs(now, MINUTE_MS) });
    await rows('UPDATE bill SET closed_at = $2 WHERE id = $1', closed, now);
    await pay(runtime(), paid, 32_000n);
    await pay(runtime(), month, 1_000n);
    const ages = async () => {
      const { unpaid } = await overview(merchant, {}, () => now);
      return [unpaid.bills, unpaid.amount, ...unpaid.ages.map(({ bills, amount }) => [bills, amount])];
    };
    const expected = [4, 14_000n, [1, 1_000n], [1, 2_000n], [1, 3_000n], [1, 8_000n]];
    expect(await ages()).toEqual(expected);
    await rollUpDays({ ...runtime(), clock: () => addMs(now, 2 * HOUR_MS) });
    expect(await ages()).toEqual(expected);
    await pay(runtime(), paid, -32_000n);
    await pay(runtime(), today, 1_000n);
    expect(await ages()).toEqual([4, 45_000n, [0, 0n], [2, 34_000n], [1, 3_000n], [1, 8_000n]]);
    await rows('UPDATE bill SET closed_at = $2 WHERE id = $1', old, now);
    expect((await ages())[1]).toBe(37_000n);
    await rows('UPDATE bill SET due_at = $2 WHERE id = ANY ($1)', [month, old, paid, today], addMs(startOf(eastAfricanDay(now)), -1));
    expect((await overview(merchant, {}, () => now)).unpaid.overdue).toEqual({
      bills: 2,
      amount: 35_000n,
      last: addDays(eastAfricanDay(now), -1),
    });
  });

  test('are the same whether a worker has summed up the days or not, for every period', async () => {
    const now = runtime().clock();
    await makePastDays(runtime().db, merchant.scope('sandbox'), { bills: 400, days: 95, now });
    await makePastDays(runtime().db, stranger.scope('sandbox'), { bills: 50, days: 95, now });
    const quarterAgo = addDays(eastAfricanDay(now), -89);
    const asked: AskedRange[] = [{ range: 'today' }, { range: 'yesterday', compare: 'month' }, { range: 'month' }, { from: quarterAgo }];
    const all = () => Promise.all(asked.map((range) => overview(merchant, range, () => now)));
    const counted = await all();
    await rollUpDays({ ...runtime(), clock: () => addMs(now, HOUR_MS) });
    const [covered] = await runtime().db.query<{ n: number }>(
      { text: 'SELECT count(*)::int AS n FROM payment_day WHERE merchant_id = $1' },
      [merchant.merchant.id],
    );
    expect(covered?.n).toBeGreaterThan(90);
    expect(await all()).toEqual(counted);
    const quarter = counted[3];
    expect(quarter?.received.reduce((sum, { amount }) => sum + amount, 0n)).toBe(quarter?.totals.collected);
    expect(quarter?.days.reduce((sum, { net }) => sum + net, 0n)).toBe(quarter?.totals.net);
    expect(quarter?.networks.reduce((sum, { ended }) => sum + ended, 0)).toBeGreaterThan(350);
  });
});

test('what was received through each network follows a correction of a day that was summed up', async () => {
  const bill = await makeBill(runtime(), merchant, { amount: 5_000 });
  await pay(runtime(), bill, 500_000n);
  const day = eastAfricanDay(runtime().clock());
  const later = { ...runtime(), clock: () => addMs(runtime().clock(), 3 * DAY_MS) };
  await rollUpDays(later);
  const { id } = await runtime().db.prisma.payment.findFirstOrThrow({ where: { allocations: { some: { billId: bill } } } });
  const origin = { reason: 'mistyped', actor: TEST_OPERATOR, reviewId: null };
  expect(await correctPayment(later, { ...origin, entryId: id, to: 200_000n })).toMatchObject({ ok: true });
  const { received } = await overview(merchant, { from: day, to: day }, later.clock);
  expect(received).toMatchObject([{ amount: 200_000n, payments: 1 }]);
});
