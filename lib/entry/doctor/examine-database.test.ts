import { afterEach, expect, inject, test } from 'vitest';
import { openDatabase } from '@/lib/platform/db/database';
import { startPgBouncer } from '@/testing/fakes/pgbouncer';
import { testRuntime } from '@/testing/runtime';
import { examineDatabase, examineDurability } from './examine-database';
import type { ServerFacts } from './store';

const runtime = testRuntime();

const onDatabase = (change: string) =>
  runtime().owner.query({ text: `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I ${change}', current_database()); END $$` });
afterEach(() => onDatabase('RESET default_transaction_read_only'));

async function found(name: string, url = runtime().settings.DATABASE_URL) {
  const db = openDatabase({ url, poolSize: 1, applicationName: 'test', need: 'answers', onError: () => undefined });
  const findings = await examineDatabase({ db, settings: { ...runtime().settings, DATABASE_URL: url } });
  await db.close();
  return findings.find((finding) => finding.name === name);
}

test('a read-only database is an error', async () => {
  expect(await found('database_writable')).toMatchObject({ level: 'ok' });
  expect(await found('commits_end')).toMatchObject({ level: 'ok' });
  await onDatabase('SET default_transaction_read_only = on');
  expect(await found('database_writable')).toMatchObject({
    level: 'wrong',
    details: ['the server is read-only: default_transaction_read_only is on'],
  });
});

test('a pooler that loses settings is an error', async () => {
  expect(await found('session_settings')).toMatchObject({ level: 'ok' });
  const pooler = await startPgBouncer({ databaseUrl: runtime().settings.DATABASE_URL, poolMode: 'transaction' });
  expect(await found('session_settings', pooler.url)).toMatchObject({
    level: 'wrong',
    details: expect.arrayContaining([expect.stringContaining('the connection pooler loses lock_timeout')]),
  });
  await pooler.stop();
});

test('a superuser is an error, and an owner of the tables is a note', async () => {
  expect([await found('database_role'), await found('database_owner')]).toMatchObject([{ level: 'ok' }, { level: 'ok' }]);
  const owner = runtime().settings.MIGRATE_DATABASE_URL;
  expect([await found('database_role', owner), await found('database_owner', owner)]).toMatchObject([
    { level: 'ok' },
    { level: 'note', details: [expect.stringContaining('CREATE ROLE')] },
  ]);
  const superuser = new URL(inject('superuserUrl'));
  superuser.pathname = new URL(runtime().settings.DATABASE_URL).pathname;
  expect(await found('database_role', superuser.href)).toMatchObject({ level: 'wrong', details: [expect.stringContaining('CREATE ROLE')] });
});

const FACTS: ServerFacts = {
  version: 150_000,
  fsync: 'on',
  fullPageWrites: 'on',
  synchronousCommit: 'on',
  synchronousStandbys: '',
  recovering: false,
  readOnly: false,
  now: new Date(0),
};

test.each([
  ['on', '', 'ok', 'ok'],
  ['local', '', 'ok', 'ok'],
  ['off', '', 'wrong', 'ok'],
  ['local', 'ANY 1 (a, b)', 'ok', 'note'],
  ['remote_write', '*', 'ok', 'note'],
  ['on', '*', 'ok', 'ok'],
  ['remote_apply', '*', 'ok', 'ok'],
])(
  'synchronous_commit %s with the standbys "%s": durable_commits is %s, standby_commits is %s',
  (synchronousCommit, synchronousStandbys, crash, lost) => {
    const findings = examineDurability({ ...FACTS, synchronousCommit, synchronousStandbys });
    expect(findings.map(({ name, level }) => [name, level])).toEqual([
      ['durable_commits', crash],
      ['standby_commits', lost],
    ]);
  },
);
