import { userInfo } from 'node:os';
import { describe, expect, test } from 'vitest';
import { recordEntry } from '@/lib/audit/record-entry';
import { operatorActor } from '@/lib/core/actor';
import { testCommand } from '@/lib/testing/command';
import { runProgram } from '@/lib/testing/process';
import { makeMerchant, TEST_SECRET_KEY, type TestMerchant, testRuntime } from '@/lib/testing/runtime';
import { findOperator } from './operator';

const UNKNOWN = operatorActor(null);
const SENTENCE = 'Changes to live data need the name of the operator for the audit log: add --as <name> or set BILI_OPERATOR=<name>.\n';

describe('who runs a command', () => {
  test.each([
    ['BILI_OPERATOR first', { BILI_OPERATOR: ' asha ', SUDO_USER: 'juma' }, 'root', 'operator:asha'],
    ['then the login that called sudo', { SUDO_USER: 'juma' }, 'root', 'operator:juma'],
    ['then the login', {}, 'neema', 'operator:neema'],
    ['a login behind sudo that names no person is passed over', { SUDO_USER: 'root' }, 'neema', 'operator:neema'],
    ['an e-mail address is a name', { BILI_OPERATOR: 'asha@example.com' }, null, 'operator:asha@example.com'],
  ])('%s', (_name, env, login, actor) => {
    expect(findOperator(env, login)).toMatchObject({ kind: 'operator', name: actor, address: null });
  });

  test.each(['root', 'node', 'bili', 'nobody', null, '', 'a b'])('the login %j does not name a person', (login) => {
    expect(findOperator({}, login)).toEqual(UNKNOWN);
  });

  test.each(['root', 'Node', 'a b', 'x:y', '-', 'x'.repeat(65)])('%j is refused as a name', (name) => {
    expect(() => findOperator({ BILI_OPERATOR: name }, 'neema')).toThrow('name a person');
  });

  test('the address is that of the SSH client', () => {
    expect(findOperator({ SSH_CONNECTION: '198.51.100.7 51234 10.0.0.1 22' }, 'neema').address).toBe('198.51.100.7');
    expect(findOperator({ SSH_CLIENT: '2001:db8::7 51234 22' }, 'neema').address).toBe('2001:db8::7');
    expect(findOperator({ SSH_CONNECTION: 'nonsense' }, 'neema').address).toBeNull();
  });
});

describe('the audit log', () => {
  const runtime = testRuntime();
  const { bili } = testCommand(runtime);
  const run = (env: Record<string, string>, ...args: string[]) =>
    runProgram(args, { DATABASE_URL: runtime().settings.DATABASE_URL, SECRET_KEY: TEST_SECRET_KEY, ...env });
  const create = ({ merchant }: TestMerchant, environment: string) => [
    'key',
    'create',
    '--merchant',
    merchant.slug,
    '--environment',
    environment,
  ];
  const entries = ({ merchant }: TestMerchant) =>
    runtime().db.query(
      { text: "SELECT actor, address FROM audit_entry WHERE merchant_id = $1 AND action = 'key.created' ORDER BY at, id" },
      [merchant.id],
    );

  test('names the person of --as first, with the address', async () => {
    const shop = await makeMerchant(runtime());
    expect(await run({ SSH_CONNECTION: '198.51.100.7 51234 10.0.0.1 22' }, ...create(shop, 'live'), '--as', 'asha')).toMatchObject({
      code: 0,
    });
    expect(await bili('--as', 'juma', ...create(shop, 'sandbox'))).toMatchObject({ code: 0 });
    expect(await bili(...create(shop, 'live'))).toMatchObject({ code: 0 });
    expect(await entries(shop)).toEqual([
      { actor: 'operator:asha', address: '198.51.100.7' },
      { actor: 'operator:juma', address: null },
      { actor: 'operator:test', address: null },
    ]);
    expect((await bili('--as', 'root', ...create(shop, 'live'))).stderr).toContain('name a person');
  });

  test('changes to live data need a name', async () => {
    const shop = await makeMerchant(runtime());
    const entry = { actor: UNKNOWN, action: 'x', subject: 'x' };
    await expect(recordEntry(runtime(), { ...entry, ...shop.scope('live') })).rejects.toThrow(
      'Changes to live data need the name of the operator',
    );
    await recordEntry(runtime(), { ...entry, ...shop.scope('sandbox') });
  });

  // Runs only if the tests run as a service account, because any other login identifies the operator.
  test.runIf(findOperator({}, userInfo().username).name === UNKNOWN.name)('a command in live then does nothing', async () => {
    const shop = await makeMerchant(runtime());
    const nobody = { BILI_OPERATOR: '' };
    expect(await run(nobody, ...create(shop, 'live'))).toEqual({ code: 1, stdout: '', stderr: SENTENCE });
    const made = { text: 'SELECT 1 FROM api_key WHERE merchant_id = $1' };
    expect(await runtime().db.query(made, [shop.merchant.id])).toEqual([]);
    expect(await run(nobody, ...create(shop, 'sandbox'))).toMatchObject({ code: 0 });
  });
});

test.each([
  ['payment', 'reverse', 'X'],
  ['payment', 'allocate', 'X', '--bill', 'Y'],
  ['payment', 'refund-outside', 'X'],
  ['payment', 'settle-reversal', 'X', '--failed'],
  ['attempt', 'release', 'X'],
  ['attempt', 'settle', 'X', '--failed'],
  ['review', 'resolve', 'X'],
])('bili %s %s requires a reason', async (...args) => {
  const { code, stderr } = await runProgram(args, {});
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('--reason') });
});
