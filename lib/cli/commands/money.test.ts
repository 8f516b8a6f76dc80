import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { insertUnmatchedPayment } from '@/lib/gateway/ledger/bookings';
import { recordUnmatched } from '@/lib/gateway/ledger/record-unmatched';
import { testCommand } from '@/testing/command';
import { testSandbox } from '@/testing/data/sandbox';
import { makeBill, makeMerchant, testRuntime } from '@/testing/runtime';

const runtime = testRuntime({ SANDBOX_BASE_URL: 'http://127.0.0.1:9' });
const sandbox = testSandbox(runtime);
const ACCOUNT = '00000000-0000-7000-8000-5a0db0c00001';
const NOBODY = '01a1fb9d-ee11-759b-b3eb-5271f9b58de2';
const { bili, json } = testCommand(runtime);

test('all lists of an empty installation say that they are empty', async () => {
  for (const [args, sentence] of [
    [['payment', 'unmatched'], 'Every payment belongs to a bill.'],
    [['payment', 'reversals'], 'No refund was requested yet.'],
    [['attempt', 'unknown'], 'No attempt has an unknown outcome.'],
    [['review', 'list'], 'There are no open reviews.'],
  ] as const) {
    expect(await bili(...args)).toEqual({ code: 0, stdout: `${sentence}\n`, stderr: '' });
    expect(await json(...args)).toEqual([]);
  }
});

test('an unmatched payment is listed, partly allocated, and its rest refunded outside', async () => {
  const merchant = await makeMerchant(runtime());
  const bill = await makeBill(runtime(), merchant, { amount: 3000.5 });
  const account = { id: ACCOUNT, environment: 'sandbox' } as const;
  const id = crypto.randomUUID();
  const recordedAt = runtime().clock();
  await insertUnmatchedPayment(runtime().db, { id, account, transactionId: 'STRAY1', amount: 500_000n, mobile: null, recordedAt });

  expect(await json('payment', 'unmatched')).toMatchObject([{ id, merchant: null, amount: 5000, unmatched: 5000 }]);
  const allocate = ['payment', 'allocate', id, '--bill', bill, '--reason', 'he showed the receipt'];
  expect(await json(...allocate, '--amount', '3000.50')).toEqual({ payment: id, bill, amount: 3000.5 });
  expect(await bili('payment', 'show', 'STRAY1')).toMatchObject({
    stdout: expect.stringMatching(new RegExp(`TZS.3,000\\.50 on bill ${bill}`)),
  });
  expect(await json('payment', 'refund-outside', id, '--reason', 'sent by hand')).toMatchObject({
    payment: id,
    refund: expect.any(String),
  });
  expect(await bili('payment', 'show', bill)).toMatchObject({ stdout: expect.stringMatching(/TZS.1,999\.50 refunded, refund /) });
  expect(await bili(...allocate)).toEqual({
    code: 1,
    stdout: '',
    stderr: 'The unmatched part of this payment has gone back to the customer.\n',
  });
  expect(await json('payment', 'unmatched')).toEqual([]);
});

test('only the oldest unmatched payments are listed, with a notice', async () => {
  await runtime().db.query(
    {
      text: `INSERT INTO payment (id, environment, provider_account_id, provider_transaction_id, kind, amount, recorded_at)
             SELECT gen_random_uuid(), 'sandbox', $1, 'MANY' || n, 'payment', 100, now() + n * interval '1 millisecond' FROM generate_series(1, 1001) n`,
    },
    [ACCOUNT],
  );
  const { code, stdout, stderr } = await bili('payment', 'unmatched', '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: 'Only the oldest 1000 are listed.\n' });
  expect(
    z
      .array(z.object({ transactionId: z.string() }))
      .parse(JSON.parse(stdout))
      .at(-1),
  ).toEqual({ transactionId: 'MANY1000' });
  expect(await bili('doctor')).toMatchObject({ stdout: expect.stringContaining('unmatched payments: more than 1000') });
});

test("an unknown attempt is queried, released and settled with the provider's answer", async () => {
  const merchant = await makeMerchant(runtime());
  const bill = await makeBill(runtime(), merchant, { amount: 5000, mobile: '0712345005' });
  await sandbox.step();
  const [attempt] = await runtime().db.query<{ id: string }>(
    {
      text: `UPDATE push_attempt SET state = 'UNKNOWN', unknown_since = now() - interval '1 minute', due_at = now() + interval '1 day', lease_until = NULL
             WHERE bill_id = $1 RETURNING id`,
    },
    [bill],
  );
  const id = attempt?.id ?? '';
  expect(await json('attempt', 'unknown')).toMatchObject([{ id, billId: bill, amount: 5000, state: 'UNKNOWN' }]);
  expect(await bili('attempt', 'release', id, '--reason', 'x')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^This attempt cannot be released before .*Z\.\n$/),
  });
  await runtime().db.query({ text: "UPDATE push_attempt SET unknown_since = now() - interval '16 minutes'" });
  expect(await json('attempt', 'release', id, '--reason', 'customer waits')).toEqual({ id, released: true, amount: 5000 });
  expect(await json('attempt', 'ask', id)).toEqual({ id, asked: true });
  const settle = ['attempt', 'settle', id, '--reason', 'ticket 17'];
  expect(await json(...settle, '--paid', 'SOLD0017', '--amount', '4500')).toEqual({ id, state: 'SUCCEEDED' });
  expect(await bili(...settle, '--failed')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'This attempt is already settled. If it was paid after all, use --paid.\n',
  });
  expect(await bili('attempt', 'unknown')).toMatchObject({ stdout: 'No attempt has an unknown outcome.\n' });

  expect(await bili('payment', 'reverse', 'NOTHING', '--reason', 'x')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no such payment'),
  });
  const asked = await json('payment', 'reverse', 'SOLD0017', '--reason', 'wrong goods');
  expect(asked).toMatchObject({ reversal: expect.any(String) });
  const { reversal } = z.object({ reversal: z.string() }).parse(asked);
  expect(await json('payment', 'reversals')).toMatchObject([
    { id: reversal, state: 'QUEUED', amount: 4500, reason: 'wrong goods' },
    { state: 'DONE', way: 'hand', amount: 1999.5 },
  ]);
  const settleRefund = ['payment', 'settle-reversal', reversal, '--reason', 'ticket 18'];
  expect(await json(...settleRefund, '--reversed', 'BACK17')).toEqual({ id: reversal, outcome: 'refunded' });
  expect(await bili(...settleRefund, '--failed')).toEqual({ code: 1, stdout: '', stderr: 'This refund is already settled.\n' });
});

test('a contradiction is listed with the commands that settle it, and a correction settles it', async () => {
  const merchant = await makeMerchant(runtime());
  const bill = await makeBill(runtime(), merchant, { amount: 5000, mobile: '0712345001' });
  await sandbox.settle(bill);
  const [paid] = await runtime().db.query<{ id: string; receipt: string }>(
    {
      text: 'SELECT p.id, p.provider_transaction_id AS receipt FROM payment p JOIN push_attempt a ON a.id = p.attempt_id WHERE a.bill_id = $1',
    },
    [bill],
  );
  if (!paid) throw new Error('nothing was paid');
  const { id, receipt } = paid;
  const account = { id: ACCOUNT, environment: 'sandbox' } as const;
  const outcome = { kind: 'paid', transactionId: receipt, amount: 450_050n } as const;
  await recordUnmatched(runtime(), { account, outcome, mobile: null, source: 'callback' });

  const listed = z
    .array(z.object({ id: z.string(), actions: z.array(z.object({ command: z.string() })) }).loose())
    .parse(await json('review', 'list'));
  const review = listed.find(({ entryId }) => entryId === id);
  expect(review).toMatchObject({
    kind: 'contradiction',
    amount: 5000,
    data: { amount: 4500.5, ledgerAmount: 5000, transactionId: receipt },
  });
  const command = review?.actions[0]?.command ?? '';
  expect(command).toBe(`bili payment correct ${id} --to SHILLINGS --reason TEXT --review ${review?.id}`);
  expect(await bili('review', 'list')).toMatchObject({ stdout: expect.stringContaining(`  if another amount is right: ${command}\n`) });

  const correct = ['payment', 'correct', receipt, '--reason', 'ticket 19'];
  expect(await bili(...correct, '--to', '5000')).toEqual({ code: 1, stdout: '', stderr: 'The ledger already has that amount.\n' });
  expect(await json(...correct, '--to', '4500.50', '--review', review?.id ?? '')).toMatchObject({
    entry: receipt,
    from: 5000,
    to: 4500.5,
    bills: [{ billId: bill, amount: -499.5 }],
    unmatched: 0,
  });
  expect(await bili('payment', 'show', receipt)).toMatchObject({
    stdout: expect.stringMatching(/corrected to TZS.4,500\.50.*\n.*on bill .*\n.*-TZS.499\.50 corrected on the payment by .*: ticket 19\n/),
  });
  const other = await makeBill(runtime(), merchant, { amount: 5000 });
  const move = ['payment', 'move', receipt, '--bill', other, '--reason', 'wrong bill'];
  expect(await json(...move)).toEqual({ payment: receipt, bill: other, amount: 4500.5 });
  expect(await bili(...move)).toEqual({
    code: 1,
    stdout: '',
    stderr: 'The whole remaining amount of this payment is already on that bill.\n',
  });
  expect(await bili(...correct, '--to', '0')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Corrected from TZS.4,500\.50 to TZS.0\.\nTZS.4,500\.50 less on bill /),
  });
});

test('a second receipt needs --also, and an unusual receipt number is reported', async () => {
  const merchant = await makeMerchant(runtime());
  const bill = await makeBill(runtime(), merchant, { amount: 5000, mobile: '0712345001' });
  await sandbox.settle(bill);
  const [attempt] = await runtime().db.query<{ id: string }>({ text: 'SELECT id FROM push_attempt WHERE bill_id = $1' }, [bill]);
  const settle = ['attempt', 'settle', attempt?.id ?? '', '--reason', 'ticket 20', '--paid', 'Mistyped-receipt'];
  expect(await bili(...settle)).toMatchObject({ code: 1, stderr: expect.stringContaining('This attempt was paid with another receipt.') });
  expect(await bili(...settle, '--also')).toEqual({
    code: 0,
    stdout: `The attempt is SUCCEEDED.\nIf this is new money, allocate it: bili payment allocate Mistyped-receipt --bill ${bill} --reason TEXT\n`,
    stderr: expect.stringMatching(
      /^Mistyped-receipt does not look like other receipts of this account, for example .*: bili payment correct Mistyped-receipt --to 0/,
    ),
  });
});

test('doctor finds problems and exits with 1', async () => {
  const wrong = async () => {
    const { code, stdout } = await bili('doctor');
    return { code, wrong: stdout.split('\n').filter((line) => line.startsWith('WRONG')) };
  };
  // The test server runs without durability, which doctor reports.
  const careless = 'WRONG  Commits of PostgreSQL survive a crash.';
  const idle = ['WRONG  A worker runs.', 'WRONG  A web process runs.'];
  expect(await wrong()).toEqual({ code: 1, wrong: [careless, ...idle] });
  // The database itself refuses such a change.
  const change = async (sign: '+' | '-') => {
    await runtime().owner.query({ text: 'ALTER TABLE bill DISABLE TRIGGER bill_reserves_open_attempts' });
    await runtime().owner.query({ text: `UPDATE bill SET reserved_amount = reserved_amount ${sign} 100` });
    await runtime().owner.query({ text: 'ALTER TABLE bill ENABLE TRIGGER bill_reserves_open_attempts' });
  };
  await change('+');
  expect(await wrong()).toEqual({
    code: 1,
    wrong: [careless, ...idle, 'WRONG  Every bill reserves exactly the amounts of its open attempts.'],
  });
  const { code, stdout, stderr } = await bili('doctor', '--json');
  expect(code).toBe(1);
  expect(stderr).toMatch(/^4 of \d+ checks found a problem\.\n$/);
  expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining({ name: 'reserved_is_asked', level: 'wrong' }));
  await change('-');
});

describe('refusals', () => {
  test.each([
    [['payment', 'show', 'NOTHING'], 'No payment has the id or receipt NOTHING, and no bill with that id has a payment.'],
    [
      ['payment', 'allocate', NOBODY, '--bill', NOBODY, '--reason', 'x'],
      'There is no such payment. "bili payment show" finds payments by receipt or bill.',
    ],
    [
      ['payment', 'refund-outside', 'x', '--reason', 'x'],
      'There is no such payment. "bili payment show" finds payments by receipt or bill.',
    ],
    [['payment', 'settle-reversal', NOBODY, '--failed', '--reason', 'x'], 'There is no such refund. "bili payment reversals" lists all.'],
    [
      ['attempt', 'release', NOBODY, '--reason', 'x'],
      'There is no such attempt. "bili attempt unknown" lists the attempts with an unknown outcome.',
    ],
    [['attempt', 'ask', 'x'], 'There is no attempt x to query: it does not exist, was never sent, or is paid.'],
    [
      ['payment', 'correct', NOBODY, '--to', '0', '--reason', 'x'],
      'There is no such payment. "bili payment show" finds payments by receipt or bill.',
    ],
    [['review', 'resolve', NOBODY, '--reason', 'x'], 'There is no such open review. "bili review list" shows all.'],
  ])('%j is explained', async (args, sentence) => {
    expect(await bili(...args)).toEqual({ code: 1, stdout: '', stderr: `${sentence}\n` });
  });

  test.each([
    [['payment', 'reverse', NOBODY], "required option '--reason <text>' not specified"],
    [['payment', 'reverse', NOBODY, '--reason', ' '], 'It must not be empty'],
    [['payment', 'reverse', NOBODY, '--reason', 'x', '--amount', '1.234'], 'It must be an amount in shillings'],
    [['payment', 'reverse', NOBODY, '--reason', 'x', '--amount', '-5'], 'It must be an amount in shillings'],
    [['attempt', 'settle', NOBODY, '--reason', 'x'], 'Give the outcome: --paid <receipt> or --failed'],
    [['attempt', 'settle', NOBODY, '--reason', 'x', '--paid', 'R', '--failed'], 'cannot be used with'],
    [['payment', 'settle-reversal', NOBODY, '--reason', 'x'], 'Give the outcome: --reversed <receipt> or --failed'],
  ])('%j is a usage error', async (args, sentence) => {
    const { code, stdout, stderr } = await bili(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(sentence);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});
