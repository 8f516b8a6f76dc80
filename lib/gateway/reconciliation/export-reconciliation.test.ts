import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { listAttempts } from '@/lib/gateway/payments/store';
import { writeStatement } from '@/lib/providers/sandbox/simulator';
import { testReconciling, uniqueId } from '@/testing/data/reconciling';
import { reverseAtProvider, testSandbox } from '@/testing/data/sandbox';
import { makeBill, makeMerchant, testRuntime } from '@/testing/runtime';
import { exportReconciliation, listReconciliations, showReconciliation } from './show-reconciliation';

const SANDBOX_ACCOUNT = '00000000-0000-7000-8000-5a0db0c00001';
const runtime = testRuntime({ SANDBOX_BASE_URL: 'http://127.0.0.1:9' });
const sandbox = testSandbox(runtime);
const { makeTill, today, payment, csv, reconcile } = testReconciling(runtime);

describe('a reconciliation', () => {
  test('is listed, shown and exported, and no cell of the export is a formula', async () => {
    const till = await makeTill();
    const file = csv(payment('=CMD()', 5000.5), payment(uniqueId('OK'), 100, '', undefined, '+255 712 345 678'));
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

test("the simulated provider's statement agrees with its callbacks", async () => {
  const { db, clock } = sandbox.runtime();
  const merchant = await makeMerchant(runtime());
  const bills = [];
  for (const mobile of ['0712345001', '0712345002', '0712345008'])
    bills.push(await makeBill(runtime(), merchant, { amount: 5000, mobile }));
  for (const billId of bills) await sandbox.settle(billId);
  const [paid] = await listAttempts(db, bills[0] ?? '');
  if (!paid) throw new Error('the bill has no attempt');
  await reverseAtProvider(db, paid.ourReference, clock());
  runtime().advance(1);

  const { csv: text, lines } = await writeStatement(runtime(), today());
  expect(lines).toBe(4);
  const file = { name: 'sandbox.csv', bytes: Buffer.from(text) };
  expect(await reconcile({ accountId: SANDBOX_ACCOUNT, file, period: today(), format: 'provider' })).toMatchObject({
    skipped: { not_completed: 1 },
    tallies: [
      { kind: 'payment', finding: 'matched', lines: 2 },
      { kind: 'reversal', finding: 'theirs_only', action: 'booked_reversal', lines: 1 },
    ],
  });
});
