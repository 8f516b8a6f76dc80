import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';
import { INITIAL_MIGRATION, readMigrations } from '@/lib/platform/db/migrations';
import { UNRELEASED_PROBLEM } from '@/lib/platform/db/unreleased-migrations';
import { freePorts } from '@/testing/free-ports';
import { cleanEnv, type Env, runProgram } from '@/testing/process';
import { runCommand } from '@/testing/run-command';
import { TEST_SECRET_KEY, testRuntime } from '@/testing/runtime';
import { recordUnreleased, UNRELEASED } from '@/testing/schema/unreleased';

// The tests start many processes, which takes time on a busy machine.
const runtime = testRuntime();
const connected = (env: Env): Env => {
  const { DATABASE_URL, MIGRATE_DATABASE_URL = '' } = runtime().settings;
  return { DATABASE_URL, MIGRATE_DATABASE_URL, SECRET_KEY: TEST_SECRET_KEY, ...env };
};
const bili = (args: readonly string[], env: Env = {}) => runCommand(args, connected(env));
/** Runs a command in a process of its own, as an operator does. */
const start = (args: readonly string[], env: Env = {}) => runProgram(args, connected(env));

async function json(args: readonly string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await bili([...args, '--json']);
  expect(stderr).toBe('');
  expect(code).toBe(0);
  return JSON.parse(stdout);
}

const WHY = ['--reason', 'ticket 4711'];

describe('usage errors', () => {
  test.each([
    [['nonsense'], "unknown command 'nonsense'"],
    [['merchant', 'create', '--name', 'Duka'], "required option '--email <email>' not specified"],
    [['merchant', 'nonsense'], "unknown command 'nonsense'"],
    [['key', 'create', '--merchant', 'x', '--environment', 'test'], "'test' is invalid. Allowed choices are live, sandbox"],
    [['key', 'create', '--merchant', 'x'], "required option '--environment <environment>' not specified"],
    [['key', 'revoke'], "missing required argument 'key'"],
    [['webhook', 'set', '--merchant', 'x', '--environment', 'live'], "required option '--url <url>' not specified"],
    [['migrate', '--fast'], "unknown option '--fast'"],
    [['migrate', 'now'], 'too many arguments'],
    [['simulate', 'mpesa', '--port', '99999'], 'It must be a number from 1 to 65535'],
    [['simulate', 'mpesa', '--callback-url', 'here'], 'It must be an http or https URL'],
  ])('%j exits with 2 and explains the error', async (args, sentence) => {
    const { code, stdout, stderr } = await bili(args);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain(sentence);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  test.each([[[]], [['merchant']], [['key']]])('%j alone shows the help and exits with 2', async (args) => {
    const { code, stdout, stderr } = await bili(args);
    expect(code).toBe(2);
    expect(stdout + stderr).toContain('Usage: bili');
  });
});

test.each([
  ['--help'],
  ['migrate', '--help'],
  ['merchant', 'create', '--help'],
  ['key', 'revoke', '--help'],
  ['webhook', 'set', '--help'],
  ['web', '--help'],
  ['worker', '--help'],
  ['simulate', 'mpesa', '--help'],
  ['start', '--help'],
])('%s %s shows help', async (...args) => {
  const { code, stdout } = await bili(args.filter((part) => typeof part === 'string'));
  expect(code).toBe(0);
  expect(stdout).toContain('Usage: bili');
});

test('creates, lists and revokes a merchant, its key and its webhook', async () => {
  const merchant = await json(['merchant', 'create', '--name', "Mama Asha's Café", '--email', 'Asha@example.com']);
  expect(merchant).toMatchObject({ slug: 'mama-asha-s-cafe', name: "Mama Asha's Café", password: expect.any(String) });
  expect(await json(['merchant', 'create', '--name', "Mama Asha's Café", '--email', 'asha@example.com'])).toMatchObject({
    slug: 'mama-asha-s-cafe-2',
    password: null,
  });
  expect(Object.values(await json(['merchant', 'list']))).toHaveLength(2);

  const key = await json(['key', 'create', '--merchant', 'mama-asha-s-cafe', '--environment', 'live', '--reason', 'test']);
  expect(key).toMatchObject({
    apiKey: expect.stringMatching(/^bili_live_key_/),
    apiSecret: expect.stringMatching(/^bili_live_secret_/),
    environment: 'live',
  });
  const listed = await json(['key', 'list', '--merchant', String(merchant.id), '--environment', 'live']);
  expect(listed).toMatchObject([{ id: key.apiKey, revokedAt: null }]);
  expect(JSON.stringify(listed)).not.toContain(String(key.apiSecret));
  expect(await json(['key', 'revoke', String(key.apiKey)])).toEqual({ apiKey: key.apiKey, revoked: true });
  expect(await bili(['key', 'revoke', String(key.apiKey)])).toMatchObject({ code: 1, stderr: `There is no active key ${key.apiKey}.\n` });

  const set = (url: string) => json(['webhook', 'set', '--merchant', 'mama-asha-s-cafe', '--environment', 'sandbox', '--url', url]);
  const first = await set('http://127.0.0.1:9000/a');
  expect(first).toMatchObject({ url: 'http://127.0.0.1:9000/a', secret: expect.stringMatching(/^whsec_/) });
  expect(await set('https://shop.example/b')).toMatchObject({ url: 'https://shop.example/b', secret: first.secret });
});

test.each([
  [['merchant', 'create', '--name', ' ', '--email', 'a@example.com'], 'The merchant was not created: the name must not be empty.'],
  [['merchant', 'create', '--name', 'Duka', '--email', 'nobody'], 'The merchant was not created: "nobody" is not an e-mail address.'],
  [
    ['key', 'create', '--merchant', 'nobody', '--environment', 'live', ...WHY],
    'There is no merchant "nobody". "bili merchant list" shows all.',
  ],
  [['key', 'revoke', 'bili_live_key_x'], 'There is no active key bili_live_key_x.'],
  [['user', 'reset-password', '--email', 'nobody@example.com', ...WHY], 'No person has the e-mail address nobody@example.com.'],
  [
    ['user', 'change-email', '--email', 'nobody@example.com', '--to', 'a@example.com', ...WHY],
    'No person has the e-mail address nobody@example.com.',
  ],
])('%j is refused with an explanation', async (args, sentence) => {
  expect(await bili(args)).toEqual({ code: 1, stdout: '', stderr: `${sentence}\n` });
});

test('an invalid webhook address is refused', async () => {
  const { slug } = await json(['merchant', 'create', '--name', 'Hooks', '--email', 'hooks@example.com']);
  const answer = await bili([
    'webhook',
    'set',
    '--merchant',
    String(slug),
    '--environment',
    'live',
    '--url',
    'http://shop.example',
    ...WHY,
  ]);
  expect(answer).toEqual({ code: 1, stdout: '', stderr: 'The address was not set: a webhook address must start with https://.\n' });
});

test('creates a reset link, and removes a second factor', async () => {
  await json(['merchant', 'create', '--name', 'Links', '--email', 'links@example.com']);
  const { link } = await json(['user', 'reset-link', '--email', 'links@example.com', ...WHY]);
  expect(link).toMatch(/^http:\/\/localhost:3000\/reset\?token=[\w-]{43}$/);
  const none = ['user', 'remove-second-factor', '--email', 'links@example.com', ...WHY];
  expect(await bili(none)).toEqual({ code: 1, stdout: '', stderr: 'links@example.com has no second factor.\n' });
  for (const command of ['reset-link', 'remove-second-factor', 'end-sessions']) {
    const answer = await bili(['user', command, '--email', 'nobody@example.com', ...WHY]);
    expect(answer).toEqual({ code: 1, stdout: '', stderr: 'No person has the e-mail address nobody@example.com.\n' });
    expect(await bili(['user', command])).toMatchObject({ code: 2, stdout: '' });
  }
});

test('adds a provider account from a file, lists it without its secrets, and disables it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bili-cli-'));
  const file = join(folder, 'mpesa.json');
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const config = {
    env: 'openapi',
    apiKey: 'a-very-secret-key',
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    serviceProviderCode: '123456',
    mode: 'async',
  };
  const add = ['provider', 'add', '--type', 'mpesa', '--environment', 'live', '--config', file];
  try {
    expect(await bili(add)).toMatchObject({ code: 1, stderr: expect.stringMatching(/^The file .* cannot be read: .*\.\n$/) });
    await writeFile(file, JSON.stringify({ ...config, mode: 'both' }));
    expect(await bili(add)).toEqual({ code: 1, stdout: '', stderr: 'mode must be "sync" or "async".\n' });
    await writeFile(file, JSON.stringify(config));
    expect(await bili(add)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^LIVE_BASE_URL is http:.* public https address of this installation first\.\n$/),
    });
    const reachable = { LIVE_BASE_URL: 'https://pay.example.com' };
    expect(await bili([...add, '--networks', 'vodacom,airtel'], reachable)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'mpesa cannot serve airtel: it serves vodacom.\n',
    });
    const added = await bili([...add, '--networks', 'vodacom', '--json'], reachable);
    const account = JSON.parse(added.stdout);
    expect(account).toMatchObject({
      provider: 'mpesa',
      environment: 'live',
      networks: ['vodacom'],
      callbackUrl: expect.stringMatching(/^https:\/\/pay\.example\.com\/callbacks\/account\//),
    });
    const piped = JSON.stringify({ ...config, mode: 'piped' });
    const fromInput = await runCommand([...add.slice(0, -1), '-'], connected(reachable), piped);
    expect(fromInput).toEqual({ code: 1, stdout: '', stderr: 'mode must be "sync" or "async".\n' });
    const listed = await json(['provider', 'list']);
    expect(Object.values(listed)).toContainEqual(expect.objectContaining({ id: account.id, merchant: null, networks: ['vodacom'] }));
    expect(JSON.stringify(listed)).not.toContain(config.apiKey);
    expect(await json(['provider', 'disable', String(account.id)])).toEqual({ id: account.id, disabled: true });
    expect(await bili(['provider', 'disable', String(account.id)])).toMatchObject({
      code: 1,
      stderr: `There is no active account ${account.id}.\n`,
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a process that is called wrongly exits with 2', { tags: ['full'] }, async () => {
  expect(await start(['nonsense'])).toMatchObject({ code: 2, stdout: '' });
});

describe('settings', { tags: ['full'] }, () => {
  test.each([
    [{ PORT: 'abc' }, 'PORT must be a whole number from 1 to 65535, but is "abc".'],
    [{ SECRET_KEY: '' }, 'SECRET_KEY is required when DATABASE_URL is set; make one with: openssl rand -base64 32'],
    [{ HOST: '203.0.113.7' }, 'HOST "203.0.113.7" is no address of this machine: correct it, or leave it out to listen on all.'],
  ])('%j prevent the start', async (wrong, sentence) => {
    const [live = 0, sandbox = 0] = await freePorts(2);
    const { code, stderr } = await start(['start'], { PORT: String(live), SANDBOX_PORT: String(sandbox), ...wrong });
    expect(code).toBe(1);
    expect(stderr).toBe(`${sentence}\n`);
  });

  test('all commands refuse a wrong SECRET_KEY', async () => {
    await json(['merchant', 'create', '--name', 'Keyed', '--email', 'keyed@example.com']);
    const [live = 0, sandbox = 0] = await freePorts(2);
    const ports = { PORT: String(live), SANDBOX_PORT: String(sandbox) };
    const other = { SECRET_KEY: Buffer.alloc(32, 8).toString('base64') };
    for (const command of [['merchant', 'list'], ['web'], ['worker'], ['start']]) {
      expect(await start(command, { ...ports, ...other })).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('SECRET_KEY is not the key with which this database was written. Set the right one.\n'),
      });
    }
  });

  test.each(['merchant', 'migrate'])('%s creates no database in a wrong DATA_DIR', async (command) => {
    const folder = await mkdtemp(join(tmpdir(), 'bili-cli-'));
    for (const dataDir of [folder, join(folder, 'missing')]) {
      const answer = await runCommand(command === 'migrate' ? ['migrate'] : ['merchant', 'list'], { DATA_DIR: dataDir });
      expect(answer).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining(`There is no database in DATA_DIR ${dataDir}.`) });
    }
    expect(await readdir(folder)).toEqual([]);
    await rm(folder, { recursive: true });
  });

  test('lost secrets of an existing database are named, and not replaced', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'bili-cli-'));
    await mkdir(join(folder, 'postgres'));
    await writeFile(join(folder, 'postgres', 'PG_VERSION'), '18\n');
    for (const command of [['merchant', 'list'], ['start']]) {
      const [port = 0, sandbox = 0] = await freePorts(2);
      const { code, stderr } = await runProgram(command, { DATA_DIR: folder, PORT: String(port), SANDBOX_PORT: String(sandbox) });
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(`${join(folder, 'secrets.json')} is missing`) });
      expect(stderr).not.toContain('\n    at ');
    }
    expect(await readdir(folder)).toEqual(['postgres']);
    await rm(folder, { recursive: true });
  });

  test('the reason of a failed initdb is shown, and not what initdb did afterwards', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'bili-cli-'));
    const [port = 0, sandbox = 0] = await freePorts(2);
    // No file may become larger than a megabyte.
    const limited = ['-c', 'ulimit -f 1000 && exec "$0" "$@"', process.execPath, join(PROJECT_ROOT, '.build', 'bili.mjs'), 'start'];
    const env = cleanEnv({ DATA_DIR: folder, PORT: String(port), SANDBOX_PORT: String(sandbox) });
    await expect(promisify(execFile)('sh', limited, { env })).rejects.toMatchObject({
      stderr: expect.stringMatching(/could not be created in .*: FATAL: +could not write .*: File too large\n$/),
    });
    await rm(folder, { recursive: true });
  });

  test('an unusable DATA_DIR is explained', async () => {
    const [port = 0, other = 0] = await freePorts(2);
    const { code, stderr } = await runProgram(['start'], { DATA_DIR: '/proc/bili/data', PORT: String(port), SANDBOX_PORT: String(other) });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^DATA_DIR \/proc\/bili\/data cannot be used: .*\n$/);
  });

  test('a database that refuses the password or does not exist is explained', async () => {
    const url = new URL(runtime().settings.DATABASE_URL);
    url.password = 'wrong';
    expect(await bili(['merchant', 'list'], { DATABASE_URL: url.href })).toMatchObject({
      code: 1,
      stderr: 'DATABASE_URL: the database refused this user or password.\n',
    });
    expect((await bili(['merchant', 'list'], { PGSSLMODE: 'require' })).stderr).toMatch(/does not support SSL.*: PGSSLMODE\.\n$/);
    const elsewhere = await bili(['migrate'], { PGOPTIONS: '-c search_path=shop' });
    expect(elsewhere).toMatchObject({ code: 1, stderr: expect.stringMatching(/^DATABASE_URL: .*: PGOPTIONS\.\n$/) });
    const owner = new URL(runtime().settings.MIGRATE_DATABASE_URL ?? '');
    owner.password = 'wrong';
    expect(await bili(['migrate'], { MIGRATE_DATABASE_URL: owner.href })).toMatchObject({
      code: 1,
      stderr: 'MIGRATE_DATABASE_URL: the database refused this user or password.\n',
    });
    await runtime().owner.query({ text: 'REVOKE SELECT ON merchant FROM bili' });
    expect(await bili(['merchant', 'list'])).toMatchObject({ code: 1, stderr: expect.stringContaining('MIGRATE_DATABASE_URL') });
    expect(await json(['migrate'])).toEqual({ applied: [], changed: [] });
    expect(await bili(['merchant', 'list'])).toMatchObject({ code: 0 });
    const missing = new URL(runtime().settings.DATABASE_URL);
    missing.pathname = '/nothing';
    expect(await bili(['migrate'], { DATABASE_URL: missing.href })).toMatchObject({
      code: 1,
      stderr: 'DATABASE_URL: this database does not exist on the server. Create it first.\n',
    });
    const limit = (connections: number) =>
      runtime().owner.query({
        text: `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I CONNECTION LIMIT ${connections}', current_database()); END $$`,
      });
    await limit(0);
    expect(await bili(['merchant', 'list'])).toMatchObject({
      stderr: expect.stringMatching(/^DATABASE_URL: too many connections for database "\w+" \(SQLSTATE 53300\)\.\n$/),
    });
    await limit(-1);
    const closed = new URL(runtime().settings.DATABASE_URL);
    closed.port = '1';
    expect(await bili(['merchant', 'list'], { DATABASE_URL: closed.href })).toMatchObject({
      stderr: expect.stringMatching(/^DATABASE_URL: the database cannot be reached \(connect ECONNREFUSED 127\.0\.0\.1:1\)\. Check that/),
    });
  });

  test('a database without the latest migration is refused until "migrate" has run, except by "doctor"', async () => {
    const { owner } = runtime();
    const [live = 0, sandbox = 0] = await freePorts(2);
    const ports = { PORT: String(live), SANDBOX_PORT: String(sandbox) };
    const [, ...later] = (await readMigrations()).map(({ name }) => name);
    // Simulates a database that was last migrated by a development version of Bili.
    await recordUnreleased(owner);
    const withoutOwner = await bili(['migrate'], { MIGRATE_DATABASE_URL: '' });
    expect(withoutOwner).toMatchObject({ code: 1, stderr: expect.stringContaining('MIGRATE_DATABASE_URL must have the role') });
    for (const command of [['web'], ['worker'], ['start'], ['merchant', 'list']]) {
      expect(await start(command, ports)).toMatchObject({
        code: 1,
        stderr: `The database is older than this version of Bili: it lacks the migration ${INITIAL_MIGRATION} and ${later.length} more. Run "npm run -s bili -- migrate" first.\n`,
      });
    }
    expect((await bili(['doctor'])).stdout).toContain(`${INITIAL_MIGRATION} is missing: run "bili migrate"`);
    expect(await json(['migrate'])).toEqual({ applied: [INITIAL_MIGRATION, ...later], changed: [] });
    await owner.query({ text: "UPDATE _prisma_migrations SET checksum = repeat('0', 64) WHERE migration_name = $1" }, [INITIAL_MIGRATION]);
    expect(await json(['migrate'])).toEqual({ applied: [], changed: [INITIAL_MIGRATION] });
    const { code, stdout } = await bili(['doctor']);
    expect(code).toBe(1);
    expect(stdout).toContain(`${INITIAL_MIGRATION} was applied with another text`);
  });

  test('a database of an older development version is refused by every command, and "doctor" reports it', async () => {
    const [live = 0, sandbox = 0] = await freePorts(2);
    const ports = { PORT: String(live), SANDBOX_PORT: String(sandbox) };
    await recordUnreleased(runtime().owner, UNRELEASED.slice(0, -1));
    for (const command of [['migrate'], ['web'], ['worker'], ['start'], ['merchant', 'list']]) {
      expect(await start(command, ports)).toMatchObject({ code: 1, stderr: `${UNRELEASED_PROBLEM}\n` });
    }
    expect(await bili(['doctor'])).toMatchObject({ code: 1, stdout: expect.stringContaining(UNRELEASED_PROBLEM) });
  });
});

test('"doctor" names variables that would switch off the checks of certificates', async () => {
  const { stdout } = await bili(['doctor'], { NODE_TLS_REJECT_UNAUTHORIZED: '0' });
  expect(stdout).toContain('NODE_TLS_REJECT_UNAUTHORIZED=0 is ignored');
  expect((await bili(['doctor'])).stdout).not.toContain('NODE_TLS_REJECT_UNAUTHORIZED');
});

test('bili trigger explains that nothing answers at the address, without a stack', async () => {
  const env = { BILI_KEY_ID: 'bili_sandbox_key_x', BILI_SECRET: 'x', BILI_URL: 'http://127.0.0.1:9' };
  const { code, stderr } = await runCommand(['trigger', 'paid'], env);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^http:\/\/127\.0\.0\.1:9 does not answer \(.*\)\. .*BILI_URL.*\n$/);
});
