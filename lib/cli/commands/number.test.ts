import { expect, test } from 'vitest';
import { requestRefusal } from '@/lib/gateway/refusals/request-refusal';
import { parseMobile } from '@/lib/platform/core/mobile';
import { testCommand } from '@/testing/command';
import { makeBill, makeMerchant, testRuntime } from '@/testing/runtime';

const runtime = testRuntime();
const { bili, json } = testCommand(runtime);
const NUMBER = ['--environment', 'live', '--mobile', '0712 345 678'];

const mobile = parseMobile('0712345678');

async function requestCode(): Promise<string> {
  if (mobile === null) throw new Error('that is a number');
  const asked = await requestRefusal(runtime(), { environment: 'live', mobile, reason: 'not mine', holder: '10.0.0.1' });
  if (asked.kind !== 'requested') throw new Error(asked.kind);
  return asked.code;
}

test("an operator lists requests, and blocks a number with the owner's code", async () => {
  const code = await requestCode();
  expect(await json('number', 'list')).toMatchObject([{ mobile, environment: 'live', state: 'REQUESTED', code, reason: 'not mine' }]);
  expect(await bili('number', 'block', ...NUMBER, '--code', code === '000000' ? '000001' : '000000')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'This is not the code for this number. "bili number list" shows the right one.\n',
  });
  expect(await bili('number', 'block', ...NUMBER, '--code', `${code.slice(0, 3)} ${code.slice(3)}`)).toEqual({
    code: 0,
    stdout: '0712345678 no longer gets prompts in live.\n',
    stderr: '',
  });
  expect(await bili('number', 'list')).toMatchObject({
    stdout: expect.stringMatching(/^0712345678 {2}live {2}ACTIVE {2}by operator:test .* not mine\n$/),
  });
});

test('a blocked number is unblocked', async () => {
  expect(await json('number', 'allow', ...NUMBER)).toEqual({ environment: 'live', mobile, state: 'LIFTED', previous: 'ACTIVE' });
  expect(await bili('number', 'allow', ...NUMBER)).toMatchObject({
    code: 1,
    stderr: '0712345678 is not blocked in live, and nobody has requested it.\n',
  });
  expect(await bili('number', 'list', '--environment', 'live')).toMatchObject({
    stdout: 'No number is blocked, and nobody has requested it.\n',
  });
  expect(await json('number', 'list', '--all')).toMatchObject([{ state: 'LIFTED' }]);
});

test('a number is exported and erased, by a named person with a reason', async () => {
  const shop = await makeMerchant(runtime());
  const paid = await makeBill(runtime(), shop, { reference: 'ORDER-0712345678', info: { customerName: 'Asha' } });
  await runtime().db.prisma.bill.updateMany({ where: { id: paid }, data: { mobile: '0712345678' } });
  const reason = ['--reason', 'request 17'];
  expect(await bili('number', 'erase', '0712345678')).toMatchObject({ code: 2, stdout: '' });
  expect(await json('number', 'export', '+255 712 345 678', ...reason)).toMatchObject({
    mobile,
    tables: { bill: [{ id: paid, customer_name: 'Asha' }] },
  });
  const { code, stdout } = await bili('number', 'erase', '0712345678', ...reason);
  expect({ code, left: stdout.match(/Left \(1\): bills whose reference/g) }).toEqual({
    code: 0,
    left: ['Left (1): bills whose reference'],
  });
  expect(await runtime().db.prisma.bill.findUnique({ where: { id: paid } })).toMatchObject({ mobile: null, customerName: null });
  const entries = await runtime().db.prisma.auditEntry.findMany({ where: { action: { in: ['number.exported', 'number.erased'] } } });
  expect(entries.map(({ data }) => data)).toMatchObject([{ reason: 'request 17' }, { reason: 'request 17' }]);
  expect(JSON.stringify(entries)).not.toContain('712345678');
});

test.each([
  [['number', 'block', '--environment', 'live', '--mobile', '12'], 'It must be a Tanzanian mobile number, for example 0712345678'],
  [['number', 'block', ...NUMBER, '--code', '12'], 'It must be six digits'],
  [['number', 'block', '--mobile', '0712345678'], "required option '--environment <environment>' not specified"],
  [['number', 'allow', '--environment', 'live'], "required option '--mobile <number>' not specified"],
  [['number', 'erase', '12', '--reason', 'x'], 'It must be a Tanzanian mobile number, for example 0712345678'],
  [['number', 'list', '--environment', 'test'], 'Allowed choices are live, sandbox'],
])('%j exits with 2 and explains the error', async (args, sentence) => {
  const { code, stdout, stderr } = await bili(...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(sentence);
});
