import { describe, expect, test } from 'vitest';
import { addMs, DAY_MS } from '@/lib/platform/core/clock';
import { testInstruments } from '@/testing/data/instruments';
import type { Till } from '@/testing/fakes/fake-record';
import { deliverNotice } from '@/testing/model/callback-steps';
import { TEST_OPERATOR, testRuntime } from '@/testing/runtime';
import { reconcileStatement } from './reconcile-statement';

const runtime = testRuntime();
const tools = testInstruments(runtime);
const { issued, find, theirs, pay, bill, payments, reviews, breaches } = tools;
const world = () => tools.world();
let files = 0;

/** Reconciles a statement of a till with these lines. Returns what was found and done, by receipt number. */
async function reconcile(
  till: Till,
  ...lines: readonly (readonly [receipt: string, kind: string, senti: number, reference: string, of?: string])[]
) {
  files += 1;
  const now = world().runtime.clock();
  const rows = lines.map(([receipt, kind, senti, reference, of = '']) =>
    [receipt, kind, (senti / 100).toFixed(2), now.toISOString(), reference, '', of].join(','),
  );
  const header = 'transaction_id,type,amount,completed_at,reference,mobile,reversed_transaction_id';
  const reconciled = await reconcileStatement(tools.gateway(), {
    accountId: world().accounts[till].id,
    file: { name: `${files}.csv`, bytes: new TextEncoder().encode([header, ...rows].join('\n')) },
    format: 'canonical',
    period: { from: addMs(now, -DAY_MS), to: addMs(now, DAY_MS + files) },
    actor: TEST_OPERATOR,
    ifIncomplete: 'accept',
  });
  if (!reconciled.ok) throw new Error(reconciled.error.join(' '));
  const found = await world().runtime.db.prisma.reconciliationLine.findMany({
    where: { reconciliationId: reconciled.value.run.id },
    orderBy: { number: 'asc' },
  });
  return found.map(({ finding, action }) => `${finding} ${action}`);
}

describe('a line of a statement about a payment of an instrument', () => {
  test.each([
    ['our reference', 'order', 'own'],
    ['our reference', 'code', 'unsigned'],
    ['the issued number', 'bill', 'repeating'],
  ] as const)('that the ledger lacks is booked on the bill, by %s', async (what, kind, till) => {
    const billId = await issued();
    const { reference, number } = await theirs(billId, kind);
    const receipt = await pay(billId, kind, { callbacks: 0 });
    expect(await reconcile(till, [receipt, 'payment', 500_000, what === 'our reference' ? reference : number])).toEqual([
      'theirs_only settled_attempt',
    ]);
    const instrumentId = (await find(billId, kind)).id;
    expect(await payments()).toMatchObject([{ providerTransactionId: receipt, instrumentId, mobile: null, allocations: [{ billId }] }]);
    expect(await bill(billId)).toMatchObject({ status: 'FULLY_PAID' });
    expect(await breaches()).toEqual([]);
  });

  test('that the ledger has is matched, also without a reference, and in the next statement', async () => {
    const billId = await issued();
    const receipt = await pay(billId, 'order');
    const { ourReference } = await find(billId, 'order');
    expect(await reconcile('own', [receipt, 'payment', 500_000, ourReference])).toEqual(['matched none']);
    expect(await reconcile('own', [receipt, 'payment', 500_000, ''])).toEqual(['matched none']);
    expect(await payments()).toHaveLength(1);
    expect(await reviews()).toEqual([]);
  });

  test('that the ledger has without a bill is allocated', async () => {
    const billId = await issued();
    const made = world().provider.notices.length;
    world().provider.pay('own', '99999', 500_000);
    for (const notice of world().provider.notices.slice(made)) await deliverNotice(world(), notice);
    expect(await bill(billId)).toMatchObject({ paidAmount: 0n });
    const { ourReference } = await find(billId, 'order');
    expect(await reconcile('own', ['P1', 'payment', 500_000, ourReference])).toEqual(['matched settled_attempt']);
    expect(await bill(billId)).toMatchObject({ status: 'FULLY_PAID' });
  });

  test('of another instrument than the ledger says asks a person once', async () => {
    const [first, second] = [await issued(), await issued()];
    const receipt = await pay(first, 'order');
    const { ourReference } = await find(second, 'order');
    expect(await reconcile('own', [receipt, 'payment', 500_000, ourReference])).toEqual(['attempt_differs opened_review']);
    expect(await reconcile('own', [receipt, 'payment', 500_000, ourReference])).toEqual(['attempt_differs opened_review']);
    expect(await reviews()).toEqual([{ kind: 'receipt_conflict' }]);
    expect(await bill(second)).toMatchObject({ paidAmount: 0n });
  });

  test('under another receipt number asks a person, and books nothing', async () => {
    const billId = await issued();
    await pay(billId, 'order');
    const { ourReference } = await find(billId, 'order');
    expect(await reconcile('own', ['OTHER', 'payment', 500_000, ourReference])).toEqual(['receipt_differs opened_review']);
    expect(await payments()).toHaveLength(1);
  });

  test('and its reversal are booked together', async () => {
    const billId = await issued();
    const { ourReference } = await find(billId, 'order');
    expect(await reconcile('own', ['T1', 'payment', 500_000, ourReference], ['R1', 'reversal', 200_000, '', 'T1'])).toEqual([
      'theirs_only settled_attempt',
      'theirs_only booked_reversal',
    ]);
    expect(await bill(billId)).toMatchObject({ status: 'PARTIALLY_PAID', paidAmount: 300_000n });
    expect(await breaches()).toEqual([]);
  });
});

test('a payment that a statement lacks is named by the reference of its instrument', async () => {
  const billId = await issued();
  await pay(billId, 'order');
  const { ourReference } = await find(billId, 'order');
  await reconcile('own', ['X1', 'payment', 100, '']);
  const missing = { where: { finding: 'ours_only' as const }, select: { ourReference: true } };
  expect(await world().runtime.db.prisma.reconciliationLine.findMany(missing)).toEqual([{ ourReference }]);
});
