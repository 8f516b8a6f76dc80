import { randomBytes } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { findBill } from '@/lib/bills/store';
import { addMs, DAY_MS, HOUR_MS } from '@/lib/core/clock';
import { newId } from '@/lib/core/ids';
import type { Database, Queryable } from '@/lib/db/database';
import { insertAccount } from '@/lib/payments/account-store';
import { applyOutcome } from '@/lib/payments/apply-outcome';
import { keepUnmatched } from '@/lib/payments/keep-unmatched';
import type { Attempt } from '@/lib/payments/rules';
import { listAttempts } from '@/lib/payments/store';
import { verifyLedger } from '@/lib/payments/verify-ledger';
import { createRegistry } from '@/lib/providers/registry';
import { insertPrompt, insertStep } from '@/lib/providers/sandbox/store';
import type { SandboxStatus } from '@/lib/providers/sandbox/wire';
import { writeStatement } from '@/lib/providers/sandbox/write-statement';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/lib/testing/runtime';
import { exportReconciliation } from './export-reconciliation';
import { listLines, type StoredLine } from './line-store';
import { listReconciliations } from './list-reconciliations';
import type { Period } from './period';
import { type Reconciled, type ReconcileOptions, reconcileStatement } from './reconcile-statement';
import { showReconciliation } from './show-reconciliation';
import { totalsOf } from './summary';

const runtime = testRuntime();
const SANDBOX_ACCOUNT = '00000000-0000-7000-8000-5a0db0c00001';
const HEADER = 'transaction_id,type,amount,completed_at,reference,mobile,reversed_transaction_id';

interface Till {
  readonly id: string;
  readonly merchant: TestMerchant;
}

/** An account that no other test reconciles. */
async function makeTill(merchant?: TestMerchant): Promise<Till> {
  const owner = merchant ?? (await makeMerchant(runtime()));
  const id = newId(runtime());
  const { merchantId, environment } = owner.scope('sandbox');
  const account = { id, merchantId, environment, provider: 'sandbox', label: 'Till', networks: [], encryptedCredentials: null };
  await insertAccount(runtime().db, { ...account, createdAt: runtime().clock() });
  return { id, merchant: owner };
}

/** A prompt that went out through the till, and nobody knows how it ended. */
async function unknownAttempt({ id, merchant }: Till, amount = 5000): Promise<Attempt> {
  const billId = await makeBill(runtime(), merchant, { amount, mobile: '0712345001' });
  await runtime().db.query(
    {
      text: `UPDATE push_attempt SET state = 'UNKNOWN', provider_account_id = $2, sent_at = $3, unknown_since = $3, due_at = $4 WHERE bill_id = $1`,
    },
    [billId, id, runtime().clock(), addMs(runtime().clock(), HOUR_MS)],
  );
  const [attempt] = await listAttempts(runtime().db, billId);
  if (!attempt) throw new Error('the bill has no attempt');
  return attempt;
}

async function paidAttempt(till: Till, transactionId: string, amount = 5000): Promise<Attempt> {
  const attempt = await unknownAttempt(till, amount);
  await pay(till, attempt, transactionId, BigInt(amount) * 100n);
  return attempt;
}

const pay = (till: Till, attempt: Attempt, transactionId: string, amount: bigint) =>
  applyOutcome(runtime(), {
    attempt,
    providerAccountId: till.id,
    outcome: { kind: 'paid', transactionId, amount },
    pace: capabilities(),
    source: 'callback',
    leaseToken: null,
  });

const keep = ({ id }: Till, transactionId: string) =>
  keepUnmatched(runtime(), {
    account: { id, environment: 'sandbox' },
    outcome: { kind: 'paid', transactionId, amount: 500_000n },
    mobile: null,
    source: 'callback',
  });

function capabilities() {
  const adapter = createRegistry(runtime(), null).find('sandbox');
  if (!adapter) throw new Error('there is no sandbox');
  return adapter.capabilities;
}

const unique = (prefix: string) => `${prefix}${randomBytes(4).toString('hex').toUpperCase()}`;
const today = (): Period => ({ from: addMs(runtime().clock(), -DAY_MS), to: addMs(runtime().clock(), DAY_MS) });
const now = () => runtime().clock().toISOString();
const payment = (id: string, amount: number, reference = '', at = now(), mobile = '') =>
  `${id},payment,${amount},${at},${reference},${mobile},`;
const reversal = (id: string, amount: number, of: string, at = now()) => `${id},reversal,${amount},${at},,,${of}`;
const csv = (...lines: string[]) => ({ name: 'statement.csv', bytes: Buffer.from([HEADER, ...lines].join('\n')) });

const withProviders = (db: Database = runtime().db) => ({ ...runtime(), db, providers: createRegistry(runtime(), null) });

async function reconcile(
  options: Omit<ReconcileOptions, 'actor' | 'format'>,
  on: ReturnType<typeof withProviders> = withProviders(),
): Promise<Reconciled> {
  const done = await reconcileStatement(on, { format: 'canonical', actor: 'operator:test', ...options });
  if (!done.ok) throw new Error(done.error.join(' '));
  return done.value;
}

const linesOf = (runId: string): Promise<StoredLine[]> => listLines(runtime().db, { runId, findings: null, after: 0, limit: 1_000 });
const billOf = ({ merchant }: Till, { billId }: Attempt) => findBill(runtime().db, merchant.scope('sandbox'), billId);
const stateOf = async ({ billId }: Attempt) => (await listAttempts(runtime().db, billId))[0]?.state;

/** Every row of every table, so that "changes nothing" means it. */
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

const rows = (sql: string, ...values: unknown[]) => runtime().db.query({ text: sql }, values);

describe('a statement', () => {
  test('is held against the ledger: matched, amount differs, theirs only, ours only, outside the period', async () => {
    const till = await makeTill();
    const [same, differs, ours, theirs, old] = ['SAME', 'DIFF', 'OURS', 'THEIRS', 'OLD'].map(unique) as [
      string,
      string,
      string,
      string,
      string,
    ];
    const matched = await paidAttempt(till, same);
    await paidAttempt(till, differs, 6000);
    await paidAttempt(till, ours, 7000);
    const file = csv(
      payment(same, 5000, matched.ourReference),
      payment(differs, 6500),
      payment(theirs, 8000, '', now(), '0712345678'),
      payment(old, 9000, '', addMs(runtime().clock(), -3 * DAY_MS).toISOString()),
    );
    const { run, tallies, repeated } = await reconcile({ accountId: till.id, file, period: today() });

    expect(repeated).toBe(false);
    expect(run).toMatchObject({ accountId: till.id, environment: 'sandbox', fileName: 'statement.csv', completedAt: expect.any(Date) });
    const paymentId = expect.any(String);
    expect(await linesOf(run.id)).toMatchObject([
      { number: 2, finding: 'matched', action: 'none', transactionId: same, statementAmount: 500_000n, ledgerAmount: 500_000n, paymentId },
      { number: 3, finding: 'amount_differs', action: 'opened_review', statementAmount: 650_000n, ledgerAmount: 600_000n, paymentId },
      {
        number: 4,
        finding: 'theirs_only',
        action: 'kept_unmatched',
        statementAmount: 800_000n,
        ledgerAmount: null,
        paymentId,
        raw: { transaction_id: theirs, mobile: '0712345678' },
      },
      { number: 5, finding: 'outside_period', action: 'none', statementAmount: 900_000n, ledgerAmount: null, paymentId: null },
      {
        number: 6,
        finding: 'ours_only',
        action: 'none',
        transactionId: ours,
        statementAmount: null,
        ledgerAmount: 700_000n,
        raw: null,
        paymentId,
      },
    ]);
    expect(totalsOf(tallies)).toEqual([
      { kind: 'payment', statement: { lines: 3, amount: 1_950_000n }, ledger: { lines: 3, amount: 1_800_000n } },
      { kind: 'reversal', statement: { lines: 0, amount: 0n }, ledger: { lines: 0, amount: 0n } },
    ]);
    expect(await rows('SELECT amount, mobile, merchant_id, attempt_id FROM payment WHERE provider_transaction_id = $1', theirs)).toEqual([
      { amount: 800_000n, mobile: '0712345678', merchant_id: null, attempt_id: null },
    ]);
    expect(await rows('SELECT 1 FROM payment WHERE provider_transaction_id = $1', old)).toEqual([]);
    expect(await rows('SELECT amount FROM payment WHERE provider_transaction_id = $1', differs)).toEqual([{ amount: 600_000n }]);
    expect(
      await rows(
        'SELECT r.kind, r.merchant_id, r.data FROM review r JOIN payment p ON p.id = r.payment_id WHERE p.provider_transaction_id = $1',
        differs,
      ),
    ).toEqual([
      {
        kind: 'statement_differs',
        merchant_id: till.merchant.merchant.id,
        data: {
          transactionId: differs,
          kind: 'payment',
          statementAmount: '650000',
          ledgerAmount: '600000',
          reconciliation: run.id,
          line: 3,
        },
      },
    ]);
    expect(await rows('SELECT actor, action FROM audit_entry WHERE subject = $1', run.id)).toEqual([
      { actor: 'operator:test', action: 'statement.reconciled' },
    ]);
  });

  test('settles an attempt that nobody knew the end of, and books its payment', async () => {
    const till = await makeTill();
    const attempt = await unknownAttempt(till);
    const id = unique('SETTLES');
    const { run } = await reconcile({ accountId: till.id, file: csv(payment(id, 5000, attempt.ourReference)), period: today() });
    expect(await linesOf(run.id)).toMatchObject([{ finding: 'theirs_only', action: 'settled_attempt', paymentId: expect.any(String) }]);
    expect(await stateOf(attempt)).toBe('SUCCEEDED');
    expect(await billOf(till, attempt)).toMatchObject({ status: 'FULLY_PAID', paidAmount: 500_000n, reservedAmount: 0n });
  });

  test('brings late money: an expired attempt is paid after all, and it is flagged', async () => {
    const till = await makeTill();
    const attempt = await unknownAttempt(till);
    const expired = { attempt, providerAccountId: till.id, outcome: { kind: 'expired' }, pace: capabilities() } as const;
    await applyOutcome(runtime(), { ...expired, source: 'status', leaseToken: null });
    const id = unique('LATE');
    await reconcile({ accountId: till.id, file: csv(payment(id, 5000, attempt.ourReference)), period: today() });
    expect(await billOf(till, attempt)).toMatchObject({ status: 'FULLY_PAID' });
    expect(await rows('SELECT late FROM payment WHERE provider_transaction_id = $1', id)).toEqual([{ late: true }]);
  });

  test('that pays an attempt twice books it once, and keeps the other money', async () => {
    const till = await makeTill();
    const attempt = await unknownAttempt(till);
    const [first, second] = [unique('FIRST'), unique('SECOND')];
    const file = csv(payment(first, 5000, attempt.ourReference), payment(second, 5000, attempt.ourReference));
    const { run } = await reconcile({ accountId: till.id, file, period: today() });
    expect(await linesOf(run.id)).toMatchObject([
      { action: 'settled_attempt' },
      { action: 'kept_unmatched', paymentId: expect.any(String) },
    ]);
    expect(await billOf(till, attempt)).toMatchObject({ paidAmount: 500_000n });
  });

  test('says whose prompt money answered that was kept unmatched before', async () => {
    const till = await makeTill();
    const attempt = await unknownAttempt(till);
    const id = unique('KEPT');
    await keep(till, id);
    const { run } = await reconcile({ accountId: till.id, file: csv(payment(id, 5000, attempt.ourReference)), period: today() });
    expect(await linesOf(run.id)).toMatchObject([{ finding: 'matched', action: 'settled_attempt' }]);
    expect(await billOf(till, attempt)).toMatchObject({ status: 'FULLY_PAID' });
    expect(await rows('SELECT 1 FROM review WHERE attempt_id = $1', attempt.id)).toEqual([]);
  });

  test('books a reversal, also of a payment that it brings itself', async () => {
    const till = await makeTill();
    const known = await paidAttempt(till, unique('PAID'));
    const [paid] = await rows('SELECT provider_transaction_id AS id FROM payment WHERE attempt_id = $1', known.id);
    const [brought, back, backToo, lost] = [unique('BROUGHT'), unique('BACK'), unique('BACK'), unique('LOST')];
    const unknown = await unknownAttempt(till);
    const file = csv(
      reversal(back, 5000, String(paid?.id)),
      reversal(backToo, 2000, brought),
      reversal(lost, 1000, 'NOBODYKNOWS'),
      payment(brought, 5000, unknown.ourReference),
      payment(String(paid?.id), 5000),
    );
    const { run } = await reconcile({ accountId: till.id, file, period: today() });
    expect(await linesOf(run.id)).toMatchObject([
      { finding: 'theirs_only', action: 'booked_reversal', kind: 'reversal', paymentId: expect.any(String) },
      { finding: 'theirs_only', action: 'booked_reversal', kind: 'reversal', paymentId: expect.any(String) },
      { finding: 'theirs_only', action: 'none', kind: 'reversal', transactionId: lost, paymentId: null },
      { finding: 'theirs_only', action: 'settled_attempt' },
      { finding: 'matched' },
    ]);
    expect(await billOf(till, known)).toMatchObject({ status: 'NOT_PAID', paidAmount: 0n });
    expect(await billOf(till, unknown)).toMatchObject({ status: 'PARTIALLY_PAID', paidAmount: 300_000n });
    expect(await rows("SELECT 1 FROM bill_event WHERE bill_id = $1 AND type = 'bill.fully_paid'", unknown.billId)).toEqual([]);

    const again = await reconcile({
      accountId: till.id,
      file: { ...file, bytes: Buffer.concat([file.bytes, Buffer.from('\n')]) },
      period: today(),
    });
    expect((await linesOf(again.run.id)).map(({ finding }) => finding)).toEqual([
      'matched',
      'matched',
      'theirs_only',
      'matched',
      'matched',
    ]);
  });

  test('that sends back more than came asks a person', async () => {
    const till = await makeTill();
    const id = unique('PAID');
    await paidAttempt(till, id);
    const { run } = await reconcile({
      accountId: till.id,
      file: csv(payment(id, 5000), reversal(unique('BACK'), 6000, id)),
      period: today(),
    });
    expect(await linesOf(run.id)).toMatchObject([
      { finding: 'matched' },
      { finding: 'theirs_only', action: 'opened_review', paymentId: null },
    ]);
    expect(
      await rows('SELECT r.kind FROM review r JOIN payment p ON p.id = r.payment_id WHERE p.provider_transaction_id = $1', id),
    ).toEqual([{ kind: 'statement_differs' }]);
  });

  test('does not ask again about a difference that a person has settled', async () => {
    const till = await makeTill();
    const id = unique('DIFF');
    await paidAttempt(till, id);
    const asked = () => rows('SELECT 1 FROM review r JOIN payment p ON p.id = r.payment_id WHERE p.provider_transaction_id = $1', id);
    await reconcile({ accountId: till.id, file: csv(payment(id, 5500)), period: today() });
    await rows(
      "UPDATE review SET resolved_at = now(), resolved_by = 'operator:test', resolution = 'theirs is wrong' WHERE payment_id = (SELECT id FROM payment WHERE provider_transaction_id = $1)",
      id,
    );
    await reconcile({ accountId: till.id, file: csv(payment(id, 5500), payment(unique('MORE'), 1)), period: today() });
    expect(await asked()).toHaveLength(1);
    await reconcile({ accountId: till.id, file: csv(payment(id, 5600)), period: today() });
    expect(await asked()).toHaveLength(2);
  });

  test('of a day does not miss what a statement of the day before has', async () => {
    const till = await makeTill();
    const id = unique('MIDNIGHT');
    await paidAttempt(till, id);
    const midnight = runtime().clock();
    const dayBefore = { from: addMs(midnight, -DAY_MS), to: midnight };
    const dayAfter = { from: addMs(midnight, -HOUR_MS), to: addMs(midnight, DAY_MS) };
    const yesterday = csv(payment(id, 5000, '', addMs(midnight, -2 * HOUR_MS).toISOString()));
    await reconcile({ accountId: till.id, file: yesterday, period: dayBefore });
    const { run } = await reconcile({ accountId: till.id, file: csv(payment(unique('NEXT'), 100)), period: dayAfter });
    expect((await linesOf(run.id)).map(({ finding }) => finding)).toEqual(['theirs_only']);
  });

  test('finds money that came through an earlier account of the same owner', async () => {
    const old = await makeTill();
    const id = unique('ROTATED');
    const attempt = await unknownAttempt(old);
    await paidAttempt(old, id);
    const renewed = await makeTill(old.merchant);
    const settled = unique('SETTLES');
    const file = csv(payment(id, 5000), payment(settled, 5000, attempt.ourReference));
    const { run } = await reconcile({ accountId: renewed.id, file, period: today() });
    expect(await linesOf(run.id)).toMatchObject([{ finding: 'matched' }, { finding: 'theirs_only', action: 'settled_attempt' }]);
    expect(await rows('SELECT provider_account_id AS id FROM payment WHERE provider_transaction_id = $1', settled)).toEqual([
      { id: old.id },
    ]);
  });

  test('whose lines are out of order, many, and mostly known, is read in batches', async () => {
    const till = await makeTill();
    const ids = Array.from({ length: 2_500 }, (_, index) => `BULK${till.id.slice(-6)}${index}`);
    await runtime().db.query(
      {
        text: `INSERT INTO payment (id, environment, provider_account_id, provider_transaction_id, kind, amount, recorded_at)
               SELECT gen_random_uuid(), 'sandbox', $1, id, 'payment', 500000, now() FROM unnest($2::text[]) AS id`,
      },
      [till.id, ids],
    );
    let statements = 0;
    const counted = {
      ...runtime().db,
      query: (...args: Parameters<Database['query']>) => ++statements && runtime().db.query(...args),
    } as Database;
    const file = csv(...ids.map((id) => payment(id, 5000)), payment(unique('NEW'), 1));
    const { tallies } = await reconcile({ accountId: till.id, file, period: today() }, withProviders(counted));
    expect(tallies).toMatchObject([
      { finding: 'matched', lines: 2_500 },
      { finding: 'theirs_only', lines: 1 },
    ]);
    expect(statements).toBeLessThan(40);
  });
});

describe('what was found', () => {
  test('is listed, shown and exported, and no cell of it is a formula', async () => {
    const till = await makeTill();
    const file = csv(payment('=CMD()', 5000.5), payment(unique('OK'), 100, '', now(), '+255 712 345 678'));
    const { run } = await reconcile({ accountId: till.id, file, period: today() });
    expect(await listReconciliations(runtime(), till.id)).toEqual([run]);
    expect((await listReconciliations(runtime(), null)).map(({ id }) => id)).toContain(run.id);
    expect(await listReconciliations(runtime(), 'till')).toEqual([]);
    expect(await showReconciliation(runtime(), run.id)).toMatchObject({ run, tallies: [{ finding: 'theirs_only', lines: 2 }] });
    expect(await showReconciliation(runtime(), 'nothing')).toBeUndefined();

    let text = '';
    for await (const part of exportReconciliation(runtime(), run.id)) text += part;
    const [header, first, second, ...rest] = parse(text, { columns: false });
    expect(header?.slice(0, 6)).toEqual(['number', 'finding', 'action', 'type', 'transaction_id', 'statement_amount']);
    expect(first?.slice(0, 7)).toEqual(['2', 'theirs_only', 'kept_unmatched', 'payment', "'=CMD()", '5000.50', '']);
    expect(JSON.parse(second?.at(-1) ?? '')).toMatchObject({ mobile: '+255 712 345 678' });
    expect(rest).toEqual([]);
    expect(text.split(/\r\n|,/).filter((cell) => /^"?[=+\-@\t\r]/.test(cell))).toEqual([]);
  });
});

describe('nothing is done', () => {
  test.each([
    ['an account that is not there', () => newId(runtime())],
    ['an account that cannot be', () => 'till'],
  ])('for %s', async (_what, id) => {
    const accountId = id();
    const options = { accountId, file: csv(), period: today(), format: 'canonical', actor: 'operator:test' } as const;
    expect(await reconcileStatement(withProviders(), options)).toEqual({
      ok: false,
      error: [`There is no account ${accountId}; "bili provider list" shows all.`],
    });
  });

  test('when any line cannot be read', async () => {
    const till = await makeTill();
    const before = await fingerprint(runtime().db);
    const file = csv(payment('GOOD', 5000), payment('BAD', -1), 'WORSE');
    const options = { accountId: till.id, file, period: today(), format: 'canonical', actor: 'operator:test' } as const;
    expect(await reconcileStatement(withProviders(), options)).toEqual({
      ok: false,
      error: [
        'statement.csv line 3: amount "-1" must be shillings with at most two decimals, like 12500 or 12500.50.',
        'statement.csv line 4: it has 1 fields, but the header has 7.',
      ],
    });
    expect(await fingerprint(runtime().db)).toEqual(before);
  });

  test("when it is another owner's statement", async () => {
    const [till, other] = [await makeTill(), await makeTill()];
    const attempt = await unknownAttempt(other);
    const before = await fingerprint(runtime().db);
    const file = csv(payment('FOREIGN', 5000), payment('FOREIGN2', 5000, attempt.ourReference));
    const options = { accountId: till.id, file, period: today(), format: 'canonical', actor: 'operator:test' } as const;
    expect(await reconcileStatement(withProviders(), options)).toEqual({
      ok: false,
      error: [`statement.csv is no statement of this account: ${attempt.ourReference} went through Till (${other.id}).`],
    });
    expect(await fingerprint(runtime().db)).toEqual(before);
  });

  test('a second time: a completed run is answered', async () => {
    const till = await makeTill();
    const attempt = await unknownAttempt(till);
    const id = unique('ONCE');
    const options = {
      accountId: till.id,
      file: csv(
        payment(id, 5000, attempt.ourReference),
        payment(unique('X'), 1),
        reversal(unique('R'), 1000, id),
        reversal(unique('R'), 1, 'GONE'),
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

test("the simulated provider's statement agrees with what it told", async () => {
  const { db, clock } = runtime();
  const [first, second, third] = [await makeTill(), await makeTill(), await makeTill()].map(({ merchant }) => merchant);
  if (!first || !second || !third) throw new Error('they were made');
  const ends: [TestMerchant, string, string[]][] = [
    [first, 'PAID', ['PAID', 'PAID']],
    [second, 'REVERSED', ['PAID', 'REVERSED']],
    [third, 'DECLINED', ['DECLINED']],
  ];
  for (const [merchant, receipt, steps] of ends) {
    const billId = await makeBill(runtime(), merchant, { amount: 5000, mobile: '0712345001' });
    const [attempt] = await listAttempts(db, billId);
    if (!attempt) throw new Error('the bill has no attempt');
    await rows(
      "UPDATE push_attempt SET state = 'SENDING', provider_account_id = $2, sent_at = $3 WHERE id = $1",
      attempt.id,
      SANDBOX_ACCOUNT,
      clock(),
    );
    const prompt = { reference: attempt.ourReference, mobile: '255712345001', amount: 5000n, callbackUrl: '', receipt, createdAt: clock() };
    await insertPrompt(db, prompt);
    for (const [index, status] of steps.entries())
      await insertStep(db, prompt, index, {
        status: status as SandboxStatus,
        afterMs: 0,
        announced: false,
        dueAt: clock(),
        leaseUntil: null,
      });
  }
  runtime().advance(1);
  const { csv: text, lines } = await writeStatement(runtime(), today());
  expect(lines).toBe(4);
  const file = { name: 'sandbox.csv', bytes: Buffer.from(text) };
  const options = { accountId: SANDBOX_ACCOUNT, file, period: today(), format: 'provider', actor: 'operator:test' } as const;
  expect(await reconcileStatement(withProviders(), options)).toMatchObject({
    ok: true,
    value: {
      skipped: { not_completed: 1 },
      tallies: [
        { kind: 'payment', finding: 'theirs_only', action: 'settled_attempt', lines: 2 },
        { kind: 'reversal', finding: 'theirs_only', action: 'booked_reversal', lines: 1 },
      ],
    },
  });
});

/** A database whose connection breaks before a statement, or before a transaction is begun. */
function breakingAt(db: Database, breakAt: number): Database {
  let statements = 0;
  const count = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    statements += 1;
    if (statements === breakAt) throw new Error('the connection broke');
    return work();
  };
  return {
    ...db,
    query: (statement, values) => count(() => db.query(statement, values)),
    transaction: (work) =>
      count(() => db.transaction((tx) => work({ query: (statement, values) => count(() => tx.query(statement, values)) }))),
  };
}

describe('a run that is interrupted', () => {
  test('at any statement goes on and ends as if it had not been', async () => {
    const outcomes = new Set<string>();
    let breakAt = 1;
    for (let broke = true; broke; breakAt += 1) {
      broke = false;
      const till = await makeTill();
      const [attempt, kept] = [await unknownAttempt(till), await unknownAttempt(till)];
      const ids = { same: 'A', differs: 'B', settles: 'C', stays: 'D', kept: 'E', ours: 'F' };
      const name = (id: string) => `${id}${till.id.slice(-12)}`;
      for (const id of [ids.same, ids.differs, ids.ours]) await paidAttempt(till, name(id));
      await keep(till, name(ids.kept));
      const file = csv(
        reversal(name('R'), 5000, name(ids.same)),
        payment(name(ids.same), 5000),
        payment(name(ids.differs), 6000),
        payment(name(ids.settles), 5000, attempt.ourReference),
        payment(name(ids.stays), 5000),
        payment(name(ids.kept), 5000, kept.ourReference),
        reversal(name('S'), 6000, name(ids.settles)),
        reversal(name('T'), 5000, 'NOBODYKNOWS'),
      );
      const options = { accountId: till.id, file, period: today() };
      await reconcile(options, withProviders(breakingAt(runtime().db, breakAt))).catch((error: Error) => {
        if (error.message !== 'the connection broke') throw error;
        broke = true;
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
    expect([...outcomes]).toHaveLength(1);
    expect(breakAt).toBeGreaterThan(40);
    expect(JSON.parse([...outcomes][0] ?? '')).toEqual({
      found: [
        { number: 2, finding: 'theirs_only', action: 'booked_reversal', known: true },
        { number: 3, finding: 'matched', action: 'none', known: true },
        { number: 4, finding: 'amount_differs', action: 'opened_review', known: true },
        { number: 5, finding: 'theirs_only', action: 'settled_attempt', known: true },
        { number: 6, finding: 'theirs_only', action: 'kept_unmatched', known: true },
        { number: 7, finding: 'matched', action: 'settled_attempt', known: true },
        { number: 8, finding: 'theirs_only', action: 'opened_review', known: false },
        { number: 9, finding: 'theirs_only', action: 'none', known: false },
        { number: 10, finding: 'ours_only', action: 'none', known: true },
      ],
      ledger: { payments: 7, reviews: 2, audited: 1, states: '{SUCCEEDED}' },
    });
  }, 120_000);

  test('and one that runs beside it end alike', async () => {
    const till = await makeTill();
    const attempts = await Promise.all(Array.from({ length: 10 }, () => unknownAttempt(till)));
    const lines = attempts.flatMap(({ ourReference }) => {
      const id = unique('BOTH');
      return [payment(id, 5000, ourReference), payment(unique('LOOSE'), 100), reversal(unique('BACK'), 1000, id)];
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

test('and after all of it, everything that must hold about money holds', async () => {
  expect((await verifyLedger(runtime().db)).filter(({ count }) => count > 0)).toEqual([]);
});
