import { userInfo } from 'node:os';
import type { Command } from 'commander';
import { describe, expect, test, vi } from 'vitest';
import { EFFECTS, type Effect } from '@/lib/cli/commands/effects';
import { buildProgram } from '@/lib/cli/program';
import { grantAccount } from '@/lib/identity/accounts/access/grant-account';
import { recordEntry, UnknownOperatorError } from '@/lib/identity/audit/record-entry';
import { operatorActor } from '@/lib/platform/core/actor';
import { testCommand } from '@/testing/command';
import { signInAs } from '@/testing/data/accounts';
import { runProgram } from '@/testing/process';
import { makeMerchant, TEST_SECRET_KEY, type TestMerchant, testRuntime } from '@/testing/runtime';
import { findOperator } from './operator';

const runtime = testRuntime();
const { bili, json } = testCommand(runtime);
const UNKNOWN = operatorActor(null);
const SENTENCE = 'This needs the name of the operator for the audit log: add --as <name> or set BILI_OPERATOR=<name>.\n';

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
  const run = (env: Record<string, string>, ...args: string[]) =>
    runProgram(args, { DATABASE_URL: runtime().settings.DATABASE_URL, SECRET_KEY: TEST_SECRET_KEY, ...env });
  const create = ({ merchant }: TestMerchant, environment: string) => [
    'key',
    'create',
    '--merchant',
    merchant.slug,
    '--environment',
    environment,
    '--reason',
    'ticket 4711',
  ];
  const entries = ({ merchant }: TestMerchant) =>
    runtime().db.query(
      {
        text: "SELECT actor, address, data ->> 'reason' AS reason FROM audit_entry WHERE merchant_id = $1 AND action = 'key.created' ORDER BY at, id",
      },
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
      { actor: 'operator:asha', address: '198.51.100.7', reason: 'ticket 4711' },
      { actor: 'operator:juma', address: null, reason: 'ticket 4711' },
      { actor: 'operator:test', address: null, reason: 'ticket 4711' },
    ]);
    expect((await bili('--as', 'root', ...create(shop, 'live'))).stderr).toContain('name a person');
  });

  test('changes outside the sandbox need a name', async () => {
    const shop = await makeMerchant(runtime());
    const entry = { actor: UNKNOWN, action: 'x', subject: 'x' };
    for (const where of [shop.scope('live'), { merchantId: shop.merchant.id, environment: null }, { merchantId: null, environment: null }])
      await expect(recordEntry(runtime(), { ...entry, ...where })).rejects.toThrow('needs the name of the operator');
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

describe('the effects of commands', () => {
  const program = buildProgram();
  /** Returns all commands with their full names, also hidden ones. */
  const leaves = (parent: Command, path: readonly string[] = []): { name: string; command: Command }[] =>
    parent.commands.flatMap((command) =>
      command.commands.length > 0 ? leaves(command, [...path, command.name()]) : [{ name: [...path, command.name()].join(' '), command }],
    );
  const all = leaves(program);
  const withEffect = (...effects: Effect[]) => all.filter(({ name }) => effects.some((one) => one === EFFECTS[name]));

  test('are declared for every command, and for no other', () => {
    expect(all.map(({ name }) => name).toSorted()).toEqual(Object.keys(EFFECTS).toSorted());
  });

  test('every command that changes live data can store a reason, and one that gives access has to', () => {
    for (const { name, command } of withEffect('live', 'access')) {
      const reason = command.options.find(({ long }) => long === '--reason');
      const inBoth = command.options.some(({ long }) => long === '--environment');
      expect({ name, found: reason !== undefined }).toEqual({ name, found: true });
      if (EFFECTS[name] === 'access') expect({ name, mandatory: reason?.mandatory }).toEqual({ name, mandatory: !inBoth });
    }
  });

  // Runs only if the tests run as a service account, because any other login identifies the operator.
  test.runIf(findOperator({}, userInfo().username).name === UNKNOWN.name)('need a name before they start', async () => {
    const refused: string[] = [];
    for (const { name, command } of withEffect('live', 'access')) {
      vi.stubEnv('BILI_OPERATOR', '');
      // Only the checks before a command run here. The values of the options do not matter to them.
      command.action(() => void refused.push(`${name} started`));
      for (const option of command.options) option.argParser((text) => text);
      for (const argument of command.registeredArguments) argument.argParser((text) => text);
      const options = command.options.filter(({ mandatory, long }) => mandatory || long === '--environment');
      const values = options.flatMap(({ long, argChoices }) => [
        long ?? '',
        argChoices?.includes('live') ? 'live' : (argChoices?.[0] ?? '1'),
      ]);
      const args = command.registeredArguments.map(() => '1');
      await command
        .parseAsync([...args, ...values], { from: 'user' })
        .catch((error: unknown) => void refused.push(error instanceof UnknownOperatorError ? name : `${name}: ${error}`));
    }
    vi.unstubAllEnvs();
    expect(refused).toEqual(withEffect('live', 'access').map(({ name }) => name));
  });
});

test('secrets of live are printed to a named person with a reason, and the audit log has both', async () => {
  const shop = await makeMerchant(runtime());
  const secret = ['webhook', 'secret', '--merchant', shop.merchant.slug, '--environment'];
  expect(await bili(...secret, 'live')).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('--reason') });
  expect(await bili(...secret, 'sandbox')).toMatchObject({ code: 0 });
  expect(await bili('--as', 'asha', ...secret, 'live', '--reason', 'ticket 4711')).toMatchObject({ code: 0 });
  const shown =
    "SELECT actor, environment, data FROM audit_entry WHERE merchant_id = $1 AND action = 'webhook.secret_shown' ORDER BY at, id";
  expect(await runtime().db.query({ text: shown }, [shop.merchant.id])).toEqual([
    { actor: 'operator:test', environment: 'sandbox', data: {} },
    { actor: 'operator:asha', environment: 'live', data: { reason: 'ticket 4711' } },
  ]);
});

test('the operator ends the sessions of a person, with a reason', async () => {
  const shop = await makeMerchant(runtime());
  const { token, userId } = await signInAs(runtime(), shop);
  const end = ['user', 'end-sessions', '--email', shop.email];
  expect(await bili(...end)).toMatchObject({ code: 2, stdout: '' });
  expect(await json('--as', 'asha', ...end, '--reason', 'stolen phone')).toEqual({ email: shop.email, sessionsEnded: 1 });
  expect(await grantAccount(runtime(), token)).toBeNull();
  const entry = "SELECT actor, data FROM audit_entry WHERE subject = $1 AND action = 'session.ended'";
  expect(await runtime().db.query({ text: entry }, [userId])).toEqual([
    { actor: 'operator:asha', data: { sessionsEnded: 1, reason: 'stolen phone' } },
  ]);
  expect(await json(...end, '--reason', 'again')).toMatchObject({ sessionsEnded: 0 });
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
