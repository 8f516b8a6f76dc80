import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addMs, DAY_MS } from '@/lib/core/clock';
import { expiredPartitions, neededPartitions } from './log-rules';

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
