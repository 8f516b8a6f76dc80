import { expect, test } from 'vitest';
import { findAnyBill } from '@/lib/gateway/bills/store';
import { testCommand } from '@/testing/command';
import { makeBill, makeMerchant, testRuntime } from '@/testing/runtime';

const runtime = testRuntime();
const { bili, json } = testCommand(runtime);

test('an operator closes and reopens a bill with a reason', async () => {
  const id = await makeBill(runtime(), await makeMerchant(runtime()));
  expect(await json('bill', 'close', '--id', id, '--reason', 'court order')).toEqual({ id, closed: true });
  expect((await findAnyBill(runtime().db, id))?.closedAt).toBeInstanceOf(Date);
  expect(await bili('bill', 'close', '--id', id, '--reason', 'again')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'The bill is already closed.\n',
  });
  expect(await bili('bill', 'reopen', '--id', id, '--reason', 'lifted')).toEqual({
    code: 0,
    stdout: 'The bill can be paid again.\n',
    stderr: '',
  });
  expect(await bili('bill', 'reopen', '--id', id, '--reason', 'x')).toMatchObject({ code: 1, stderr: 'The bill is not closed.\n' });
  expect(await bili('bill', 'close', '--id', 'nope', '--reason', 'x')).toMatchObject({
    code: 1,
    stderr: 'There is no bill with that id.\n',
  });
});

test.each([
  [['bill', 'close', '--reason', 'x'], "required option '--id <bill>' not specified"],
  [['bill', 'close', '--id', 'x'], "required option '--reason <text>' not specified"],
  [['bill', 'reopen', '--id', 'x', '--reason', ' '], 'It must not be empty'],
])('%j exits with 2 and explains the error', async (args, sentence) => {
  expect(await bili(...args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(sentence) });
});
