import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertUnmatchedPayment } from '@/lib/gateway/ledger/bookings';
import { newId } from '@/lib/platform/core/ids';
import { testCommand } from '@/testing/command';
import { testRuntime } from '@/testing/runtime';

const SANDBOX_ACCOUNT = '00000000-0000-7000-8000-5a0db0c00001';
const HEADER = 'transaction_id,type,amount,completed_at,reference,mobile,reversed_transaction_id';
const PERIOD = ['--from', '2026-11-20', '--to', '2026-11-20'];

const runtime = testRuntime();
const { bili, json } = testCommand(runtime);

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bili-reconcile-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function statement(name: string, ...lines: string[]): Promise<string[]> {
  const file = join(folder, name);
  await writeFile(file, lines.join('\n'));
  return ['--account', SANDBOX_ACCOUNT, '--statement', file];
}

test('a statement is reconciled once, listed, shown and exported', async () => {
  const file = await statement(
    'november.csv',
    HEADER,
    'CLI1,payment,12500.50,2026-11-20 10:00:00,,0712345678,',
    'CLI2,payment,100,2026-11-19 23:59:59,,,',
    'CLI3,reversal,500,2026-11-20 12:00:00,,,CLI1',
  );
  const first = await bili('reconcile', ...file, ...PERIOD);
  expect(first).toMatchObject({ code: 0, stderr: '' });
  const text = first.stdout.replaceAll('\u00a0', ' ').split('\n');
  expect(text.slice(0, -2)).toEqual([
    'november.csv, Sandbox (sandbox), from 20 Nov 2026, 00:00:00 until 21 Nov 2026, 00:00:00',
    '  statement only: 1 payment, TZS 12,500.50 (booked as unmatched)',
    '  outside the period: 1 payment, TZS 100 (no action needed)',
    '  statement only: 1 reversal, TZS 500 (booked)',
    '  statement: 1 payment, TZS 12,500.50; ledger: 0 payments, TZS 0',
    '  statement: 1 reversal, TZS 500; ledger: 0 reversals, TZS 0',
  ]);
  const id = /bili reconciliation show (\S+)/.exec(first.stdout)?.[1] ?? '';

  const again = await json('reconcile', ...file, ...PERIOD);
  expect(again).toMatchObject({
    id,
    accountId: SANDBOX_ACCOUNT,
    file: 'november.csv',
    from: '2026-11-19T21:00:00.000Z',
    to: '2026-11-20T21:00:00.000Z',
    requestedBy: 'operator:test',
    repeated: true,
    skipped: { not_completed: 0, other_money: 0, repeated: 0 },
    found: [
      { kind: 'payment', finding: 'theirs_only', action: 'kept_unmatched', lines: 1, statementAmount: '12500.50' },
      { finding: 'outside_period' },
      { kind: 'reversal', finding: 'theirs_only', action: 'booked_reversal' },
    ],
    totals: [
      { kind: 'payment', statement: { lines: 1, amount: '12500.50' }, ledger: { lines: 0, amount: '0.00' } },
      { kind: 'reversal', statement: { lines: 1, amount: '500.00' } },
    ],
  });
  expect((await bili('reconcile', ...file, ...PERIOD)).stdout).toContain('already reconciled, so nothing was changed');

  expect(await json('reconciliation', 'list', '--account', SANDBOX_ACCOUNT)).toMatchObject([{ id }]);
  expect(await json('reconciliation', 'show', id)).toMatchObject({ lines: [{ number: 2 }, { number: 4 }] });
  const outside = await json('reconciliation', 'show', id, '--finding', 'outside_period');
  expect(outside).toMatchObject({ lines: [{ number: 3, transactionId: 'CLI2', statementAmount: '100.00', ledgerAmount: null }] });
  expect((await bili('reconciliation', 'show', id)).stdout).toContain('statement only  payment CLI1');

  const output = join(folder, 'found.csv');
  expect(await json('reconciliation', 'export', id, '--output', output)).toEqual({ id, file: output, lines: 3 });
  const printed = await bili('reconciliation', 'export', id);
  expect(printed).toMatchObject({ code: 0, stdout: await readFile(output, 'utf8') });
  expect(printed.stdout.split('\r\n')).toHaveLength(5);
  expect(await json('reconciliation', 'export', id)).toHaveLength(3);
  expect(await bili('reconciliation', 'export', id, '--output', output)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^The file .*found\.csv cannot be written: .*\.\n$/),
  });
});

test('--dry-run changes nothing, and an incomplete statement is refused without --accept-missing', async () => {
  const account = { id: SANDBOX_ACCOUNT, environment: 'sandbox' } as const;
  for (const transactionId of ['CUT1', 'CUT2', 'CUT3', 'CUT4']) {
    const payment = { id: newId(runtime()), account, transactionId, amount: 10_000n, mobile: null, recordedAt: runtime().clock() };
    await insertUnmatchedPayment(runtime().db, payment);
  }
  const cut = await statement('cut.csv', HEADER, 'CUT1,payment,100,2026-11-20 10:00:00,,,', 'CUT5,payment,100,2026-11-20 10:00:00,,,');
  const period = ['--from', '2026-11-01', '--to', '2099-12-31'];
  const booked = () => runtime().db.query({ text: "SELECT 1 FROM payment WHERE provider_transaction_id = 'CUT5'" });
  expect(await json('reconcile', ...cut, ...period, '--dry-run')).toMatchObject({
    dryRun: true,
    missing: 3,
    found: [{ finding: 'matched' }, { finding: 'ours_only', lines: 3 }, { finding: 'theirs_only', action: 'kept_unmatched' }],
  });
  expect((await bili('reconcile', ...cut, ...period, '--dry-run')).stdout).toContain('ledger only: 3 payments');
  expect(await bili('reconcile', ...cut, ...period)).toMatchObject({ code: 1, stderr: expect.stringContaining('--accept-missing') });
  expect(await booked()).toEqual([]);
  expect(await json('reconcile', ...cut, ...period, '--accept-missing')).toMatchObject({ repeated: false });
  expect(await booked()).toHaveLength(1);
});

test("--format provider reads the provider's own format", async () => {
  const file = await statement(
    'own.csv',
    'Receipt,Completed,Status,Type,Amount,Reference,Phone,Reverses',
    'OWN1,2026-11-20T10:00:00Z,PAID,payment,"1,000",,,',
    'OWN2,2026-11-20T10:00:00Z,DECLINED,payment,"1,000",,,',
  );
  expect(await json('reconcile', ...file, ...PERIOD, '--format', 'provider')).toMatchObject({
    skipped: { not_completed: 1 },
    totals: [{ statement: { lines: 1, amount: '1000.00' } }, {}],
  });
});

test('a statement of the sandbox provider can be written and reconciled', async () => {
  const output = join(folder, 'simulated.csv');
  expect(await json('simulate', 'statement', ...PERIOD, '--output', output)).toEqual({ file: output, lines: 0 });
  const file = ['--account', SANDBOX_ACCOUNT, '--statement', output];
  expect((await bili('reconcile', ...file, '--from', '2020-01-01', '--to', '2020-01-01', '--format', 'provider')).stdout).toContain(
    'The statement and the ledger have no entries in this period.',
  );
});

test('unreadable and missing statements are explained', async () => {
  const bad = await statement('bad.csv', HEADER, 'A,payment,x,2026-11-20 10:00:00,,,', 'B,payment,5,yesterday,,,');
  expect(await bili('reconcile', ...bad, ...PERIOD)).toEqual({
    code: 1,
    stdout: '',
    stderr: [
      'bad.csv line 2: amount "x" must be shillings with at most two decimals, like 12500 or 12500.50.',
      'bad.csv line 3: completed_at "yesterday" is not a valid time.',
      'Nothing was changed.',
      '',
    ].join('\n'),
  });
  const missing = ['--account', SANDBOX_ACCOUNT, '--statement', join(folder, 'nothing.csv')];
  expect(await bili('reconcile', ...missing, ...PERIOD)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^The file .* cannot be read: .*\.\n$/),
  });
  for (const verb of ['show', 'export']) {
    expect(await bili('reconciliation', verb, 'nothing')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'There is no reconciliation nothing. "bili reconciliation list" shows all.\n',
    });
  }
});

test.each([
  [['--from', 'yesterday', '--to', '2026-11-20'], '--from, --to: "yesterday" must be a day like 2026-11-20'],
  [['--from', '2026-11-20', '--to', '2026-11-19'], '--from, --to: the period from 2026-11-20 to 2026-11-19 is empty'],
  [['--from', '2026-11-20'], "required option '--to <when>' not specified"],
  [[...PERIOD, '--format', 'excel'], 'Allowed choices are canonical, provider'],
])('usage error: %j', async (args, sentence) => {
  const { code, stdout, stderr } = await bili('reconcile', '--account', 'x', '--statement', 'y', ...args);
  expect(code).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toContain(sentence);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});
