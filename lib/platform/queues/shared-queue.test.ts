import { expect, test } from 'vitest';
import { testRuntime } from '@/testing/runtime';
import { sharedQueue } from './shared-queue';

const runtime = testRuntime();

test('simultaneous calls share batches of their own database client, and an item without an outcome runs alone', async () => {
  const { db } = runtime();
  const other = { ...db };
  const batches: string[] = [];
  const double = sharedQueue<number, number>({
    async runBatch(on, items) {
      batches.push(`${on === db ? 'db' : 'other'}: ${items.join()}`);
      const [row] = await on.query<{ doubled: number[] }>(
        { text: 'SELECT array_agg(2 * n ORDER BY place) AS doubled FROM unnest($1::int[]) WITH ORDINALITY AS u(n, place)' },
        [items],
      );
      return items.map((item, index) => (item === 3 ? undefined : row?.doubled[index]));
    },
    async runAlone(_, item) {
      batches.push(`alone: ${item}`);
      return 2 * item;
    },
  });
  const results = await Promise.all([1, 2, 3].map((item) => double(db, 'subject', item)).concat(double(other, 'subject', 4)));
  expect(results).toEqual([2, 4, 6, 8]);
  expect(batches.toSorted()).toEqual(['alone: 3', 'db: 1,2,3', 'other: 4']);
});
