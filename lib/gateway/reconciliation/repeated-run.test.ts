import { describe, expect, test } from 'vitest';
import { verifyLedger } from '@/lib/gateway/ledger/verify-ledger';
import { HOUR_MS } from '@/lib/platform/core/clock';
import { newId } from '@/lib/platform/core/ids';
import type { Database, Queryable } from '@/lib/platform/db/database';
import { type Till, testReconciling, uniqueId } from '@/testing/data/reconciling';
import { testRuntime } from '@/testing/runtime';

const runtime = testRuntime();
const { makeTill, refuse, unknownAttempt, paidAttempt, keep, today, payment, reversal, csv, attempt, reconcile, linesOf, rows } =
  testReconciling(runtime);

/** Returns a checksum of every table, to prove that nothing has changed. */
async function fingerprint(db: Queryable): Promise<Record<string, string>> {
  const tables = await db.query<{ name: string }>({
    text: "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY relname",
  });
  const prints: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await db.query<{ print: string }>({
      text: `SELECT count(*) || ' ' || coalesce(md5(string_agg(t::text, E'\\n' ORDER BY t::text)), '') AS print FROM "${name}" t`,
    });
    prints[name] = row?.print ?? '';
  }
  return prints;
}

/** Creates a database whose connection breaks before its `breakAt`-th operation: a statement, or the start of a transaction. */
function breakingAt(db: Database, breakAt: number, breaks: () => void): Database {
  let statements = 0;
  const count = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    statements += 1;
    if (statements === breakAt) {
      breaks();
      throw new Error('the connection broke');
    }
    return work();
  };
  return {
    ...db,
    query: (statement, values) => count(() => db.query(statement, values)),
    transaction: (work) =>
      count(() =>
        db.transaction((tx) => work({ prisma: tx.prisma, query: (statement, values) => count(() => tx.query(statement, values)) })),
      ),
  };
}

describe('a run changes nothing', () => {
  test.each([
    ['an account that is not there', () => newId(runtime())],
    ['an account that cannot be', () => 'till'],
  ])('for %s', async (_what, id) => {
    const accountId = id();
    const options = { accountId, file: csv(), period: today() };
    expect(await attempt(options)).toEqual({
      ok: false,
      error: [`There is no account ${accountId}; "bili provider list" shows all.`],
    });
  });

  test('if any line cannot be read', async () => {
    const till = await makeTill();
    const before = await fingerprint(runtime().db);
    const file = csv(payment('GOOD', 5000), payment('BAD', -1), 'WORSE');
    const options = { accountId: till.id, file, period: today() };
    expect(await attempt(options)).toEqual({
      ok: false,
      error: [
        'statement.csv line 3: amount "-1" must be shillings with at most two decimals, like 12500 or 12500.50.',
        'statement.csv line 4: the line has 1 fields, but the header has 7.',
      ],
    });
    expect(await fingerprint(runtime().db)).toEqual(before);
  });

  test("if it is another owner's statement", async () => {
    const [till, other] = [await makeTill(), await makeTill()];
    const foreign = await unknownAttempt(other);
    const before = await fingerprint(runtime().db);
    const file = csv(payment('FOREIGN', 5000), payment('FOREIGN2', 5000, foreign.ourReference));
    const options = { accountId: till.id, file, period: today() };
    expect(await attempt(options)).toEqual({
      ok: false,
      error: [`statement.csv is not a statement of this account: ${foreign.ourReference} belongs to the account Till (${other.id}).`],
    });
    expect(await fingerprint(runtime().db)).toEqual(before);
  });

  test('if it is already complete, and returns the same result', async () => {
    const till = await makeTill();
    const { ourReference } = await unknownAttempt(till);
    const id = uniqueId('ONCE');
    const options = {
      accountId: till.id,
      file: csv(
        payment(id, 5000, ourReference),
        payment(uniqueId('X'), 1),
        reversal(uniqueId('R'), 1000, id),
        reversal(uniqueId('R'), 1, 'GONE'),
      ),
      period: today(),
    };
    const first = await reconcile(options);
    const before = await fingerprint(runtime().db);
    runtime().advance(HOUR_MS);
    expect(await reconcile(options)).toEqual({ ...first, repeated: true });
    expect(await fingerprint(runtime().db)).toEqual(before);
  });
});

describe('an interrupted run', { tags: ['full'] }, () => {
  /** Breaks a run at each of its statements, each time with a new till, and returns the results of the repeated runs without duplicates. */
  async function breakEverywhere(prepare: (till: Till, name: (id: string) => string) => Promise<string[]>): Promise<unknown[]> {
    const outcomes = new Set<string>();
    let breakAt = 1;
    for (let broke = true; broke; breakAt += 1) {
      broke = false;
      const till = await makeTill();
      const lines = await prepare(till, (id) => `${id}${till.id.slice(-12)}`);
      const options = { accountId: till.id, file: csv(...lines), period: today() };
      // The function records that a statement was made to fail. An error of `reconcile` would not always show that, because `reconcile`
      // does not throw if only the proof of an account cannot be stored.
      const breaking = breakingAt(runtime().db, breakAt, () => {
        broke = true;
      });
      await reconcile(options, breaking).catch((error: Error) => {
        if (error.message !== 'the connection broke') throw error;
      });
      const { run } = await reconcile(options);
      const found = (await linesOf(run.id)).map(({ number, finding, action, paymentId }) => ({
        number,
        finding,
        action,
        known: paymentId !== null,
      }));
      const [ledger] = await rows(
        `SELECT (SELECT count(*)::int FROM payment WHERE provider_account_id = $1) AS payments,
           (SELECT count(*)::int FROM review r LEFT JOIN push_attempt a ON a.id = r.attempt_id LEFT JOIN payment p ON p.id = r.payment_id
            WHERE $1 IN (a.provider_account_id, p.provider_account_id)) AS reviews,
           (SELECT count(*)::int FROM audit_entry WHERE data->>'account' = $1::text) AS audited,
           (SELECT array_agg(DISTINCT state) FROM push_attempt WHERE provider_account_id = $1) AS states`,
        till.id,
      );
      outcomes.add(JSON.stringify({ found, ledger }));
    }
    expect(breakAt).toBeGreaterThan(30);
    return [...outcomes].map((outcome): unknown => JSON.parse(outcome));
  }

  test('continues after a failure of any statement, with the same result as without the failure', async () => {
    const outcomes = await breakEverywhere(async (till, name) => {
      const [attempt, kept] = [await unknownAttempt(till), await unknownAttempt(till)];
      const ids = { same: 'A', differs: 'B', settles: 'C', stays: 'D', kept: 'E', ours: 'F' };
      for (const id of [ids.same, ids.differs, ids.ours]) await paidAttempt(till, name(id));
      await keep(till, name(ids.kept));
      return [
        reversal(name('R'), 5000, name(ids.same)),
        payment(name(ids.same), 5000),
        payment(name(ids.differs), 6000),
        payment(name(ids.settles), 5000, attempt.ourReference),
        payment(name(ids.stays), 5000),
        payment(name(ids.kept), 5000, kept.ourReference),
        reversal(name('S'), 6000, name(ids.settles)),
        reversal(name('T'), 5000, 'NOBODYKNOWS'),
      ];
    });
    expect(outcomes).toEqual([
      {
        found: [
          { number: 2, finding: 'theirs_only', action: 'booked_reversal', known: true },
          { number: 3, finding: 'matched', action: 'none', known: true },
          { number: 4, finding: 'amount_differs', action: 'opened_review', known: true },
          { number: 5, finding: 'theirs_only', action: 'settled_attempt', known: true },
          { number: 6, finding: 'theirs_only', action: 'kept_unmatched', known: true },
          { number: 7, finding: 'matched', action: 'settled_attempt', known: true },
          { number: 8, finding: 'theirs_only', action: 'opened_review', known: false },
          { number: 9, finding: 'theirs_only', action: 'none', known: false },
          { number: 10, finding: 'ours_only', action: 'opened_review', known: true },
        ],
        ledger: { payments: 7, reviews: 3, audited: 1, states: '{SUCCEEDED}' },
      },
    ]);
  }, 600_000);

  test('continues also if lines name other attempts than the ledger, or attempts that the account refused', async () => {
    const next = await makeTill();
    const outcomes = await breakEverywhere(async (till, name) => {
      const [right, left] = [await unknownAttempt(till), await unknownAttempt(next)];
      await refuse(left, till, next);
      await paidAttempt(till, name('A'));
      const renumbered = await paidAttempt(till, name('B'));
      return [
        payment(name('A'), 5000, right.ourReference),
        payment(name('C'), 5000, renumbered.ourReference),
        payment(name('D'), 5000, left.ourReference),
      ];
    });
    expect(outcomes).toEqual([
      {
        found: [
          { number: 2, finding: 'attempt_differs', action: 'opened_review', known: true },
          { number: 3, finding: 'receipt_differs', action: 'opened_review', known: true },
          { number: 4, finding: 'theirs_only', action: 'kept_unmatched', known: true },
        ],
        ledger: { payments: 3, reviews: 3, audited: 1, states: '{SUCCEEDED}' },
      },
    ]);
  }, 600_000);

  test('and a parallel one have the same result', async () => {
    const till = await makeTill();
    const attempts = await Promise.all(Array.from({ length: 10 }, () => unknownAttempt(till)));
    const lines = attempts.flatMap(({ ourReference }) => {
      const id = uniqueId('BOTH');
      return [payment(id, 5000, ourReference), payment(uniqueId('LOOSE'), 100), reversal(uniqueId('BACK'), 1000, id)];
    });
    const options = { accountId: till.id, file: csv(...lines), period: today() };
    const [one, other] = await Promise.all([reconcile(options), reconcile(options), reconcile(options)]);
    expect(one?.run.id).toBe(other?.run.id);
    expect(one?.tallies).toEqual(other?.tallies);
    expect((await linesOf(one.run.id)).map(({ action }) => action).sort()).toEqual(
      ['booked_reversal', 'kept_unmatched', 'settled_attempt'].flatMap((action) => Array<string>(10).fill(action)),
    );
    expect(await rows('SELECT count(*)::int AS n FROM payment WHERE provider_account_id = $1', till.id)).toEqual([{ n: 30 }]);
    expect(await rows('SELECT count(*)::int AS n FROM audit_entry WHERE subject = $1', one.run.id)).toEqual([{ n: 1 }]);
  });
});

test('after all these tests, the invariants of the ledger hold', async () => {
  expect((await verifyLedger(runtime().db)).filter(({ count }) => count > 0)).toEqual([]);
});
