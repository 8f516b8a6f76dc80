import { expect, test } from 'vitest';
import { testCommand } from '@/testing/command';
import { makeBill, makeMerchant, testRuntime } from '@/testing/runtime';

const runtime = testRuntime();
const { bili, json } = testCommand(runtime);

test('a payment by hand is recorded, shown and corrected, and a mistyped amount is asked about', async () => {
  const bill = await makeBill(runtime(), await makeMerchant(runtime()), { amount: 5_000 });
  const record = ['payment', 'record', bill, '--kind', 'cash', '--slip', 's1', '--reason', 'paid at the office'];
  expect(await bili(...record, '--amount', '50000')).toMatchObject({ code: 1, stderr: expect.stringContaining('--overpay') });
  expect(await bili(...record, '--amount', '5000', '--date', '2020-01-01')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--date'),
  });
  const recorded = await json(...record, '--amount', '2000');
  expect(recorded).toEqual({ payment: expect.any(String), bill, amount: 2000 });
  expect(await bili(...record, '--amount', '3000')).toMatchObject({ code: 1, stderr: expect.stringContaining('slip') });
  expect(await bili('payment', 'show', 'S1')).toMatchObject({ stdout: expect.stringContaining(`on bill ${bill}`) });
  expect(await bili('payment', 'correct', 'S1', '--to', '0', '--reason', 'counted wrongly')).toMatchObject({ code: 0 });
  expect(await runtime().db.prisma.bill.findUnique({ where: { id: bill } })).toMatchObject({ paidAmount: 0n, status: 'NOT_PAID' });
  expect(await bili('payment', 'record', 'x', '--amount', '1', '--kind', 'cash', '--reason', 'r')).toMatchObject({ code: 1 });
  expect(await json('provider', 'list')).not.toContainEqual(expect.objectContaining({ provider: 'hand' }));
});
