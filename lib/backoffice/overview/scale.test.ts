import { beforeAll, expect, test } from 'vitest';
import { listOwnUnmatched } from '@/lib/gateway/ledger/listing-store';
import { addMs, HOUR_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import { eastAfricanDay } from '@/lib/platform/core/east-african-day';
import { makePastDays } from '@/testing/data/past-days';
import { makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { explaining } from '@/testing/schema/explain';
import { countAttemptDays, countPaymentDays } from './day-counts';
import { readAttemptDays, readPaymentDays, sumSpans } from './day-store';
import { readHours } from './hour-store';
import { addDays, startOf } from './periods';
import { countRecent, findEndpointFacts, findExhausted, findOpenReviews, findOverpaid, findReleasable } from './read-attention';
import { rollUpDays } from './roll-up-days';
import { findFirstBill, readCoverage } from './rollup-store';
import { findActivationSteps, findFirstSteps } from './show-overview';
import { readOverdue, readUnpaidDays } from './unpaid-store';

// @module-tag full
const runtime = testRuntime();
const BILLS = 20_000;
const DAYS = 200;
/** The maximum number of index rows that a query may read: three times the bills of one day. */
const DAY_ROWS = (3 * BILLS) / DAYS;
const yesterday = addDays(eastAfricanDay(new Date()), -1);
const from = addDays(yesterday, -89);
const noon = addMs(startOf(yesterday), 36 * HOUR_MS);
let merchant: TestMerchant;

beforeAll(async () => {
  merchant = await makeMerchant(runtime());
  await makePastDays(runtime().db, merchant.scope('sandbox'), { bills: BILLS, days: DAYS, now: addMs(noon, -13 * HOUR_MS) });
  await rollUpDays({ ...runtime(), clock: () => noon });
  await runtime().owner.query({ text: 'ANALYZE' });
});

test('the queries of the overview read at most the rows of one day, and the stored sums', async () => {
  const scope = merchant.scope('sandbox');
  const { db, scans } = explaining(runtime().db);
  await readCoverage(db, scope, from);
  await countPaymentDays(db, scope, [yesterday]);
  await countAttemptDays(db, scope, [yesterday]);
  await sumSpans(db, scope, [{ from: startOf(yesterday), to: addMs(startOf(yesterday), 8 * HOUR_MS) }]);
  await countRecent(db, scope, addMs(noon, -15 * MINUTE_MS));
  await findReleasable(db, { ...scope, before: noon });
  await findOpenReviews(db, scope);
  await findOverpaid(db, scope, startOf(from));
  await findExhausted(db, scope, startOf(from));
  await findEndpointFacts(db, scope);
  await findFirstBill(db, scope);
  await listOwnUnmatched(db, scope);
  await readHours(db, scope, { first: from, last: yesterday, counted: [yesterday] });
  await readUnpaidDays(db, scope, yesterday);
  await readOverdue(db, scope, yesterday);
  // `db` only explains the queries, so they return no rows. The next two functions throw when they get no row.
  await findFirstSteps(db, { ...scope, userId: merchant.merchant.id }).catch(() => undefined);
  await findActivationSteps(db, { ...scope, userId: merchant.merchant.id }).catch(() => undefined);
  const big = scans.filter(({ table }) => ['bill', 'push_attempt', 'payment', 'payment_allocation'].includes(table));
  expect(big.filter(({ kind, rows }) => kind === 'Seq Scan' || rows > DAY_ROWS)).toEqual([]);
  expect(big.length).toBeGreaterThan(5);
});

test('90 days are stored in 90 rows of payments and a few rows of attempts each', async () => {
  const scope = merchant.scope('sandbox');
  expect(await readPaymentDays(runtime().db, scope, from, yesterday)).toHaveLength(90);
  expect((await readAttemptDays(runtime().db, scope, from, yesterday)).length).toBeLessThan(90 * 40);
});

test('the sum of overdue bills is read from an index alone', async () => {
  const scope = merchant.scope('sandbox');
  await runtime().db.query({ text: "UPDATE bill SET due_at = created_at WHERE merchant_id = $1 AND id::text LIKE '%0'" }, [
    scope.merchantId,
  ]);
  await runtime().owner.query({ text: 'VACUUM ANALYZE bill' });
  const { db, scans } = explaining(runtime().db);
  await readOverdue(db, scope, yesterday);
  expect(scans.map(({ kind, table }) => `${kind} ${table}`)).toEqual(['Index Only Scan bill']);
});
