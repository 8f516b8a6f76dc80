import { expect, test } from 'vitest';
import { testCommand } from '@/testing/command';
import { makePastDays } from '@/testing/data/past-days';
import { makeMerchant, testRuntime } from '@/testing/runtime';

const runtime = testRuntime();
const { bili, json } = testCommand(runtime);

test('overview rebuild recalculates the daily sums of all merchants or of one', async () => {
  const { merchant, scope } = await makeMerchant(runtime());
  await makePastDays(runtime().db, scope('sandbox'), { bills: 30, days: 30, now: runtime().clock() });
  const all = await json('overview', 'rebuild');
  expect(all).toEqual({ overviews: expect.any(Number), days: expect.any(Number) });
  const sums = () =>
    runtime().db.query(
      { text: 'SELECT count(*)::int AS days, sum(collected)::bigint AS collected FROM payment_day WHERE merchant_id = $1' },
      [merchant.id],
    );
  const before = await sums();
  expect(before).toMatchObject([{ days: expect.any(Number) }]);
  await runtime().db.query({ text: 'UPDATE payment_day SET collected = 1 WHERE merchant_id = $1' }, [merchant.id]);
  expect(await json('overview', 'rebuild', '--merchant', merchant.slug, '--environment', 'live')).toEqual({ overviews: 1, days: 0 });
  expect(await sums()).not.toEqual(before);
  expect(await bili('overview', 'rebuild', '--merchant', merchant.slug, '--environment', 'sandbox')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\d+ days of 1 overview recalculated\.\n$/),
  });
  expect(await sums()).toEqual(before);
});

test('overview rebuild refuses unknown merchants and environments', async () => {
  expect(await bili('overview', 'rebuild', '--merchant', 'nobody')).toMatchObject({
    code: 1,
    stderr: 'There is no merchant "nobody". "bili merchant list" shows all.\n',
  });
  expect(await bili('overview', 'rebuild', '--environment', 'moon')).toMatchObject({ code: 2 });
});
