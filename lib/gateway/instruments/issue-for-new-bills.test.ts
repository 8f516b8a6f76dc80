import { beforeEach, expect, test } from 'vitest';
import { addMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { lowestId } from '@/lib/platform/core/ids';
import { testInstruments } from '@/testing/data/instruments';
import { testRuntime } from '@/testing/runtime';
import { issueForNewBills } from './issue-for-new-bills';

const runtime = testRuntime();
const tools = testInstruments(runtime);
const { createBill, list } = tools;
const world = () => tools.world();
const change = (sql: string, values: readonly unknown[] = []) => world().runtime.db.query({ text: sql }, values);

/** Lets a merchant switch instruments of new bills on or off. */
async function turn(on: boolean, index = 0): Promise<void> {
  const { merchantId, environment } = tools.merchant(index).scope('sandbox');
  const where = { merchantId_environment: { merchantId, environment } };
  await world().runtime.db.prisma.merchantProfile.update({ where, data: { issuesInstruments: on } });
  // The clock of the world is ahead of that of the database.
  const now = lowestId(world().runtime.clock().getTime());
  await change('UPDATE instrument_source SET read_to = $1, checked_to = $1', [now]);
}

const numbers = async (...bills: string[]) => (await Promise.all(bills.map(list))).map(({ length }) => length);

beforeEach(async () => {
  await turn(false);
  await turn(false, 1);
});

test('new bills get their instruments seconds later, if the merchant has switched that on', async () => {
  const old = await createBill();
  world().advance(SECOND_MS);
  await turn(true);
  const [mine, prompted, other] = [await createBill(), await createBill(0, '0744000001'), await createBill(1)];
  await issueForNewBills(tools.gateway());
  expect(await numbers(mine)).toEqual([0]);
  world().advance(3 * SECOND_MS);
  await Promise.all([issueForNewBills(tools.gateway()), issueForNewBills(tools.gateway())]);
  expect(await numbers(old, mine, prompted, other)).toEqual([0, 3, 3, 0]);
  await tools.work();
  world().advance(HOUR_MS);
  await issueForNewBills(tools.gateway());
  expect(await numbers(old, mine, prompted, other)).toEqual([0, 3, 3, 0]);
  await turn(false);
  const later = await createBill();
  world().advance(MINUTE_MS);
  await issueForNewBills(tools.gateway());
  expect(await numbers(later)).toEqual([0]);
});

test('a bill that is committed late gets its instruments within an hour', async () => {
  await turn(true);
  await createBill();
  world().advance(3 * SECOND_MS);
  await issueForNewBills(tools.gateway());
  const late = await createBill();
  const id = lowestId(addMs(world().runtime.clock(), -2_500).getTime()).replace(/0000-0000-000000000000$/, '7000-8000-000000000000');
  await change('DELETE FROM push_attempt');
  await change(
    `INSERT INTO bill (id, merchant_id, environment, amount, reference, created_at) SELECT $2, merchant_id, environment, amount, 'LATE', created_at FROM bill WHERE id = $1`,
    [late, id],
  );
  await change('UPDATE instrument_source SET read_to = $1', [lowestId(addMs(world().runtime.clock(), -2_000).getTime())]);
  world().advance(3 * SECOND_MS);
  await issueForNewBills(tools.gateway());
  expect(await numbers(late, id)).toEqual([3, 0]);
  world().advance(2 * HOUR_MS);
  await issueForNewBills(tools.gateway());
  expect(await numbers(late, id)).toEqual([3, 3]);
});

test('bills that cannot have instruments keep no others waiting', async () => {
  await turn(true);
  await turn(true, 1);
  await change("UPDATE provider_account SET encrypted_credentials = '\\x00' WHERE label = 'own'");
  const [broken, other] = [await createBill(0), await createBill(1)];
  world().advance(3 * SECOND_MS);
  await issueForNewBills(tools.gateway());
  expect(await numbers(broken, other)).toEqual([0, 3]);
  await change("UPDATE provider_account SET encrypted_credentials = NULL WHERE label = 'own'");
  world().advance(2 * HOUR_MS);
  await issueForNewBills(tools.gateway());
  expect(await numbers(broken)).toEqual([3]);
});

test('more bills than a batch are all served', async () => {
  await turn(true, 1);
  const bills: string[] = [];
  for (let made = 0; made < 51; made += 1) bills.push(await createBill(1));
  world().advance(3 * SECOND_MS);
  expect(await issueForNewBills(tools.gateway())).toBe(true);
  expect(await issueForNewBills(tools.gateway())).toBe(false);
  expect(new Set(await numbers(...bills))).toEqual(new Set([3]));
});
