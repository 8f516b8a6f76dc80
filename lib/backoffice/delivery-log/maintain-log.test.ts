import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { addMs, DAY_MS } from '@/lib/platform/core/clock';
import { testRuntime } from '@/testing/runtime';
import { explaining } from '@/testing/schema/explain';
import { listAttempts } from './delivery-store';
import { expiredPartitions, listPartitions, maintainLog, neededPartitions } from './maintain-log';

const runtime = testRuntime({ WEBHOOK_LOG_DAYS: '30' });
const WEEK_MS = 7 * DAY_MS;
const ID = '018f2b1c-0000-7000-8000-000000000000';

const needed = () => neededPartitions(runtime().clock()).map(({ name }) => name);
const partitions = () => listPartitions(runtime().db);
/** Inserts a delivery attempt. @returns the name of the partition that contains it. */
async function attempt(startedAt = runtime().clock()): Promise<string> {
  const [row] = await runtime().db.query<{ partition: string }>(
    {
      text: `INSERT INTO webhook_attempt (id, started_at, merchant_id, environment, delivery_id, message_id, number, trigger, url, duration_ms, response_headers, response_body, error_data)
             VALUES (gen_random_uuid(), $1, gen_random_uuid(), 'sandbox', gen_random_uuid(), 'msg', 1, 'automatic', 'http://x/', 1, '{}', '', '{}')
             RETURNING tableoid::regclass::text AS partition`,
    },
    [startedAt],
  );
  return row?.partition ?? '';
}
const countByPartition = async () =>
  Object.fromEntries(
    (
      await runtime().db.query<{ partition: string; n: number }>({
        text: 'SELECT tableoid::regclass::text AS partition, count(*)::int AS n FROM webhook_attempt GROUP BY 1',
      })
    ).map(({ partition, n }) => [partition, n]),
  );

beforeEach(async () => {
  for (const name of await partitions()) await runtime().owner.query({ text: `DROP TABLE ${name}` });
  await runtime().db.query({ text: 'DELETE FROM webhook_attempt' });
});

test('creates the partitions of the next weeks, so that one always exists', async () => {
  for (let week = 0; week < 6; week += 1) {
    await maintainLog(runtime());
    expect(await partitions()).toEqual(expect.arrayContaining(needed()));
    expect(await attempt()).toBe(needed()[1]);
    expect(await attempt(addMs(runtime().clock(), 4 * WEEK_MS))).toBe(needed()[5]);
    runtime().advance(WEEK_MS);
  }
});

test('moves attempts from the default partition into a new one, but only those of its week', async () => {
  const [, present = ''] = needed();
  expect(await attempt()).toBe('webhook_attempt_default');
  const older = addMs(runtime().clock(), -3 * WEEK_MS);
  expect(await attempt(older)).toBe('webhook_attempt_default');
  await maintainLog(runtime());
  expect(await countByPartition()).toEqual({ [present]: 1, webhook_attempt_default: 1 });
  await maintainLog(runtime());
  expect(await countByPartition()).toEqual({ [present]: 1, webhook_attempt_default: 1 });
});

test('drops attempts that are older than WEBHOOK_LOG_DAYS, also from the default partition', async () => {
  await attempt(addMs(runtime().clock(), -31 * DAY_MS));
  await attempt(addMs(runtime().clock(), -29 * DAY_MS));
  await maintainLog(runtime());
  const [, old = ''] = needed();
  await attempt();
  expect(await countByPartition()).toEqual({ webhook_attempt_default: 1, [old]: 1 });
  runtime().advance(30 * DAY_MS);
  await maintainLog(runtime());
  expect(await countByPartition()).toEqual({ [old]: 1 });
  runtime().advance(WEEK_MS);
  await maintainLog(runtime());
  expect(await countByPartition()).toEqual({});
  expect(await partitions()).not.toContain(old);
  expect(await partitions()).toEqual(expect.arrayContaining(needed()));
});

test('does not create and drop the same partition again and again if the log is kept for one day', async () => {
  const brief = { ...runtime(), settings: { ...runtime().settings, WEBHOOK_LOG_DAYS: 1 } };
  for (let day = 0; day < 7; day += 1) {
    await maintainLog(brief);
    const existing = await partitions();
    await maintainLog(brief);
    expect(await partitions()).toEqual(existing);
    runtime().advance(DAY_MS);
  }
});

test('several workers may run it at the same time while attempts are written, without errors', async () => {
  let running = true;
  let written = 0;
  const writers = Array.from({ length: 4 }, async () => {
    for (; running; written += 1) await attempt();
  });
  await Promise.all([maintainLog(runtime()), maintainLog(runtime()), maintainLog(runtime())]).finally(() => {
    running = false;
  });
  await Promise.all(writers);
  const [, present = ''] = needed();
  expect(await partitions()).toEqual(needed());
  expect(await countByPartition()).toEqual({ [present]: written });
});

test('changes nothing while a backup reads the whole log, and creates the partitions in the next run', async () => {
  await runtime().db.transaction(async (tx) => {
    await tx.query({ text: 'LOCK TABLE webhook_attempt_default IN ACCESS SHARE MODE' });
    await expect(maintainLog(runtime())).resolves.toBeUndefined();
    expect(await partitions()).toEqual([]);
  });
  await maintainLog(runtime());
  expect(await partitions()).toEqual(needed());
});

test('a query for the attempts of a delivery since a time reads only later partitions, by their index', async () => {
  await maintainLog(runtime());
  runtime().advance(WEEK_MS);
  await maintainLog(runtime());
  const explained = explaining(runtime().db);
  const text = 'SELECT number FROM webhook_attempt WHERE delivery_id = $1 AND started_at >= $2 ORDER BY started_at';
  await runtime().db.query({
    text: `INSERT INTO webhook_attempt (id, started_at, merchant_id, environment, delivery_id, message_id, number, trigger, url, duration_ms, response_headers, response_body, error_data)
           SELECT gen_random_uuid(), now() + n * interval '5 minutes', gen_random_uuid(), 'sandbox', gen_random_uuid(), 'msg', 1, 'automatic', 'http://x/', 1, '{}', '', '{}'
           FROM generate_series(1, 6000) AS n`,
  });
  await runtime().owner.query({ text: 'ANALYZE webhook_attempt' });
  await explained.db.query({ text }, [ID, runtime().clock()]);
  const read = explained.scans.map(({ table }) => table);
  expect(read).toEqual(expect.arrayContaining(needed().slice(1)));
  expect(read.filter((table) => table < (needed()[1] ?? ''))).toEqual([]);
  expect(explained.scans.filter(({ kind, rows }) => kind === 'Seq Scan' && rows > 0)).toEqual([]);
  explained.scans.length = 0;
  await listAttempts(explained.db, { merchantId: ID, environment: 'sandbox' }, [{ id: ID, createdAt: runtime().clock() }]);
  expect(explained.scans.filter(({ table }) => table < (needed()[1] ?? ''))).toEqual([]);
  expect(explained.scans.filter(({ kind, rows }) => kind === 'Seq Scan' && rows > 0)).toEqual([]);
});

test('partitions are needed for last week, this week and the next four weeks', () => {
  expect(neededPartitions(new Date('2026-11-21T04:00:00Z')).map(({ name }) => name)).toEqual([
    'webhook_attempt_2026_11_09',
    'webhook_attempt_2026_11_16',
    'webhook_attempt_2026_11_23',
    'webhook_attempt_2026_11_30',
    'webhook_attempt_2026_12_07',
    'webhook_attempt_2026_12_14',
  ]);
});

test.each([
  ['2026-11-15T23:59:59.999Z', '2026-11-09'],
  ['2026-11-16T00:00:00Z', '2026-11-16'],
  ['2027-01-01T00:00:00Z', '2026-12-28'],
  ['1970-01-01T00:00:00Z', '1969-12-29'],
])('%s is in the week that begins on Monday, %s', (now, monday) => {
  expect(neededPartitions(new Date(now))[1]).toMatchObject({ from: new Date(`${monday}T00:00:00Z`) });
});

test('the partitions have no gaps, and the second one contains the current time', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date('2020-01-01'), max: new Date('2090-01-01'), noInvalidDate: true }), (now) => {
      const partitions = neededPartitions(now);
      for (const [index, { from, to }] of partitions.entries()) {
        expect(to).toEqual(addMs(from, 7 * DAY_MS));
        if (index > 0) expect(from).toEqual(partitions[index - 1]?.to);
      }
      const [, present] = partitions;
      expect(present && present.from <= now && now < present.to).toBe(true);
    }),
  );
});

test('a partition expires when its end is older than the given days, and other tables are ignored', () => {
  const names = ['webhook_attempt_2026_08_17', 'webhook_attempt_2026_08_24', 'webhook_attempt_default', 'webhook_attempt_old'];
  const end = new Date('2026-08-24T00:00:00Z');
  expect(expiredPartitions(names, addMs(end, 90 * DAY_MS - 1), 90)).toEqual([]);
  expect(expiredPartitions(names, addMs(end, 90 * DAY_MS), 90)).toEqual(['webhook_attempt_2026_08_17']);
});
