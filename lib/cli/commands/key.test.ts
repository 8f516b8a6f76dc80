import { expect, test } from 'vitest';
import { testCommand } from '@/testing/command';
import { makeMerchant, testRuntime } from '@/testing/runtime';

const runtime = testRuntime();
const { bili, json } = testCommand(runtime);

test('an operator creates a key with limits, rolls it and lists both', async () => {
  const { merchant } = await makeMerchant(runtime());
  const scope = ['--merchant', merchant.slug, '--environment', 'sandbox'];
  const limits = ['--expires-in-days', '30', '--allow', '41.59.10.7, 41.59.3.4/16', '--max-bill', '50000', '--max-day', '200000.50'];
  const made = await json('key', 'create', ...scope, '--label', 'Till', ...limits);
  expect(made).toMatchObject({ environment: 'sandbox', apiKey: expect.stringMatching(/^bili_sandbox_key_/) });
  const { apiKey } = Object(made);
  const rolled = await json('key', 'roll', apiKey, '--overlap', 'open', '--reason', 'test');
  expect(rolled).toMatchObject({ replaces: apiKey, apiSecret: expect.stringMatching(/^bili_sandbox_secret_/) });
  expect(await json('key', 'list', ...scope)).toMatchObject([
    { label: 'Till', replacesId: apiKey, networks: ['41.59.10.7', '41.59.0.0/16'], billMax: 50_000, dayMax: 200_000.5 },
    { id: apiKey, replacedById: Object(rolled).apiKey },
  ]);
  expect(await bili('key', 'list', ...scope)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/Till {2}active until .* {2}never used/),
  });
  expect(await bili('key', 'roll', apiKey, '--reason', 'test')).toMatchObject({ code: 1, stderr: `${apiKey} already has a successor.\n` });
  expect(await bili('key', 'roll', 'nobody', '--reason', 'test')).toMatchObject({ code: 1, stderr: 'There is no key nobody.\n' });
});

test.each([
  [['--allow', 'my-office'], 'It must be IP addresses or networks'],
  [['--max-bill', '0'], 'It must be an amount in shillings'],
  [['--expires-in-days', '0'], 'It must be a whole number from 1 to 3650'],
])('%j is a usage error', async (wrong, sentence) => {
  const { code, stderr } = await bili('key', 'create', '--merchant', 'x', '--environment', 'live', ...wrong);
  expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)]);
});
