import { expect, test } from 'vitest';
import { testCommand } from '@/testing/command';
import { testRuntime } from '@/testing/runtime';

const runtime = testRuntime();
const { bili, json } = testCommand(runtime);

test('an operator lists and changes the network of a prefix', async () => {
  expect(await json('network', 'list')).toContainEqual({ prefix: '79', network: 'vodacom', wallet: 'M-Pesa' });
  expect(await bili('network', 'list')).toMatchObject({ code: 0, stdout: expect.stringContaining('079  vodacom  M-Pesa\n') });
  expect(await json('network', 'set', '--prefix', '79', '--network', 'airtel')).toEqual({
    prefix: '79',
    network: 'airtel',
    previous: 'vodacom',
  });
  expect(await bili('network', 'set', '--prefix', '79', '--network', 'yas')).toEqual({
    code: 0,
    stdout: 'Numbers that start with 079 now belong to yas (before: airtel).\n',
    stderr: '',
  });
  expect(await json('network', 'unset', '--prefix', '79')).toEqual({ prefix: '79', network: 'other', previous: 'yas' });
  expect(await bili('network', 'unset', '--prefix', '79')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'The prefix 79 is not assigned to a network. "bili network list" shows all assigned prefixes.\n',
  });
});

test.each([
  [['network', 'set', '--prefix', '55', '--network', 'vodacom'], 'It must be two digits, the first of which is 6 or 7'],
  [['network', 'set', '--prefix', '0754', '--network', 'vodacom'], 'It must be two digits, the first of which is 6 or 7'],
  [['network', 'unset', '--prefix', 'x'], 'It must be two digits, the first of which is 6 or 7'],
  [['network', 'set', '--prefix', '79', '--network', 'tigo'], 'Allowed choices are vodacom, yas, airtel, halotel, ttcl'],
  [['network', 'set', '--prefix', '79', '--network', 'other'], 'Allowed choices are vodacom, yas, airtel, halotel, ttcl'],
  [['network', 'set', '--network', 'vodacom'], "required option '--prefix <prefix>' not specified"],
  [
    ['provider', 'add', '--type', 'mpesa', '--environment', 'live', '--config', 'x', '--networks', 'vodacom,tigo'],
    'It must be names from vodacom, yas, airtel, halotel, ttcl, other, separated by commas',
  ],
  [
    ['provider', 'add', '--type', 'mpesa', '--environment', 'live', '--config', 'x', '--networks', ''],
    'It must be names from vodacom, yas, airtel, halotel, ttcl, other, separated by commas',
  ],
])('%j exits with 2 and explains the error', async (args, sentence) => {
  const { code, stdout, stderr } = await bili(...args);
  expect(code).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toContain(sentence);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});
