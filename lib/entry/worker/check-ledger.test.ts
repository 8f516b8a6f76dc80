import { afterEach, expect, test } from 'vitest';
import { claimCheck, continueCheck, endCheck, listCheckResults } from '@/lib/gateway/ledger/check-store';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { makeBill, makeMerchant, testRuntime } from '@/testing/runtime';
import { checkLedger } from './check-ledger';

const runtime = testRuntime();
const rows = (text: string, ...values: unknown[]) => runtime().db.query({ text }, values);
const result = async (kind: string) => (await listCheckResults(runtime().db)).find((one) => one.kind === kind);
/** Works until no check is due, and returns how many turns that took. A check takes one turn, however slow the machine is. */
async function checkAll(): Promise<number> {
  let turns = 0;
  while (await checkLedger(runtime(), MINUTE_MS)) turns += 1;
  return turns;
}
afterEach(() =>
  rows("UPDATE ledger_check SET due_at = 'epoch', lease_until = NULL, started_at = NULL, next_table = NULL, next_id = NULL, found = '[]'"),
);

async function breakBill(reference: string): Promise<void> {
  await makeBill(runtime(), await makeMerchant(runtime()), { reference });
  const { owner } = runtime();
  await owner.query({ text: 'ALTER TABLE bill DISABLE TRIGGER USER' });
  await rows('UPDATE bill SET reserved_amount = 5 WHERE reference = $1', reference);
  await owner.query({ text: 'ALTER TABLE bill ENABLE TRIGGER USER' });
}
const mend = () => rows('UPDATE bill SET reserved_amount = 0');

test('workers share the checks: each is done once, and again when it is due', async () => {
  const [first, second] = await Promise.all([checkAll(), checkAll()]);
  expect(first + second).toBe(4);
  expect(await checkAll()).toBe(0);
  const complete = await result('complete');
  expect(complete).toMatchObject({ broken: [] });
  runtime().advance(11 * MINUTE_MS);
  expect(await checkAll()).toBe(2);
  expect(await result('complete')).toEqual(complete);
  runtime().advance(DAY_MS);
  expect(await checkAll()).toBe(4);
  expect((await result('complete'))?.endedAt.getTime()).toBeGreaterThan(complete?.endedAt.getTime() ?? 0);
});

test('a violation is stored with its first cases, and the whole ledger is checked again within an hour', async () => {
  await breakBill('BROKEN');
  await checkAll();
  expect(await result('complete')).toMatchObject({ broken: [{ name: 'reserved_is_asked', count: 1 }] });
  expect(await result('recent')).toMatchObject({ broken: [{ name: 'reserved_is_asked', count: 1 }] });
  await mend();
  runtime().advance(HOUR_MS + SECOND_MS);
  await checkAll();
  expect(await result('complete')).toMatchObject({ broken: [] });
  expect(await result('recent')).toMatchObject({ broken: [] });
});

test('a check continues where a killed worker has stopped, and that worker can no longer store anything', async () => {
  const { db, clock } = runtime();
  await rows("UPDATE ledger_check SET due_at = now() + interval '9 days' WHERE kind <> 'complete'");
  const now = clock();
  const killed = await claimCheck(db, now, new Date(now.getTime() + MINUTE_MS));
  if (!killed) throw new Error('a check is due');
  const breach = { name: 'paid_is_allocated', count: 1, first: [{ subject: 'x', detail: 'found before' }] };
  await continueCheck(db, killed, {
    now,
    nextTable: 'webhook_delivery',
    nextId: killed.nextId ?? '00000000-0000-0000-0000-000000000000',
    found: [breach],
  });
  const again = await claimCheck(db, now, new Date(now.getTime() + 2 * MINUTE_MS));
  expect(again).toMatchObject({ kind: 'complete', nextTable: 'webhook_delivery', found: [breach] });
  // The worker dies now. Nobody else gets the check before its lease has ended.
  expect(await checkAll()).toBe(0);
  runtime().advance(3 * MINUTE_MS);
  expect(await checkAll()).toBe(1);
  expect(await result('complete')).toMatchObject({ broken: [breach] });
  await endCheck(db, again ?? killed, { now, dueAt: now, found: [] });
  expect(await result('complete')).toMatchObject({ broken: [breach] });
});
