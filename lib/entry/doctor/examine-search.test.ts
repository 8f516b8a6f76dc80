import { expect, test } from 'vitest';
import { indexSearch } from '@/lib/backoffice/search/index-search';
import { MINUTE_MS } from '@/lib/platform/core/clock';
import { makeBill, makeMerchant, testRuntime } from '@/testing/runtime';
import { examineSearch } from './examine-database';

const runtime = testRuntime();

test('notes which rows the search does not contain five minutes after they were created', async () => {
  await makeBill(runtime(), await makeMerchant(runtime()), { mobile: '0712345001' });
  expect(await examineSearch(runtime())).toMatchObject({ level: 'ok', text: 'The search contains everything.' });
  const created = runtime().clock().toISOString().slice(0, 10);
  runtime().advance(6 * MINUTE_MS);
  expect(await examineSearch(runtime())).toMatchObject({
    level: 'note',
    text: 'The search does not contain everything yet. Check that a worker runs.',
    details: [
      expect.stringContaining('bills that are not found by a part of their texts yet: 1, the oldest from '),
      expect.stringContaining('payment requests that are not found by a part of their texts yet: 1, the oldest from '),
    ],
  });
  expect((await examineSearch(runtime())).details[0]).toContain(created);
  while (await indexSearch(runtime()));
  expect(await examineSearch(runtime())).toMatchObject({ level: 'ok', details: [] });
});
