import { once } from 'node:events';
import { globSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedBills } from '@/lib/cli/demo/seed-bills';
import { buildRuntime } from '@/lib/entry/processes/process-runtime';
import { connectedSettings } from '@/lib/entry/processes/start-settings';
import { sealEntries } from '@/lib/identity/audit/seal-entries';
import { createSecrets, firstKeys } from '@/lib/platform/config/secrets';
import type { ConnectedSettings } from '@/lib/platform/config/settings';
import { operatorActor } from '@/lib/platform/core/actor';
import { migrate } from '@/lib/platform/db/migrate';
import { ownAsPostgres, spawnPostgres } from '@/lib/platform/db/postgres-binaries';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { freePorts } from '@/testing/free-ports';
import { makeMerchant, TEST_SECRET_KEY, testRuntime } from '@/testing/runtime';
import { drill } from './drill';
import { makeIdentity } from './encryption';
import { type BackupStore, openFolderStore } from './folder-store';
import { makeBackup } from './make-backup';
import { openBackup } from './open-backup';
import { restoreExternal, withCopy } from './restore-backup';
import { readSums } from './sums';

/** The programs of a PostgreSQL that the system has installed, with pg_dump. The packages of npm have none. */
const [tools] = globSync('/usr/lib/postgresql/*/bin/pg_dump').sort().reverse().map(dirname);

const runtime = testRuntime();
let folder = '';
let store: BackupStore;
const keys = { identity: '', recipient: '' };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bili-dump-'));
  await mkdir(join(folder, 'backups'));
  store = await openFolderStore(join(folder, 'backups'));
  Object.assign(keys, await makeIdentity());
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Makes a backup of the test's database with other tools. */
const backUpWith = (POSTGRES_TOOLS: string) =>
  makeBackup({ ...runtime(), settings: { ...runtime().settings, POSTGRES_TOOLS } }, { store, recipients: [keys.recipient] });

test('without pg_dump, or with one that is older than the server, there is no backup', async () => {
  await expect(backUpWith(folder)).rejects.toThrow(/pg_dump cannot be run.*postgresql-client/);
  const old = join(folder, 'old');
  await mkdir(old);
  await writeFile(join(old, 'pg_dump'), '#!/bin/sh\necho "pg_dump (PostgreSQL) 13.2"\n');
  await chmod(join(old, 'pg_dump'), 0o755);
  await expect(backUpWith(old)).rejects.toThrow(/version 13, but the server is version 18/);
  expect(await store.list()).toEqual([]);
});

interface External {
  readonly runtime: Runtime;
  /** Creates a database with the two roles of Bili, and returns its settings. */
  newDatabase(name: string): Promise<ConnectedSettings>;
  stop(): Promise<void>;
}

/** Starts a server of the system's PostgreSQL, with a filled database. */
async function startExternal(bin: string): Promise<External> {
  const data = join(folder, 'data');
  await ownAsPostgres(folder);
  const initialised = spawnPostgres(join(bin, 'initdb'), {
    args: ['-D', data, '-U', 'postgres', '--auth=trust', '--no-sync'],
    stdio: 'pipe',
  });
  initialised.stdout?.resume();
  await once(initialised, 'exit');
  const [port = 0] = await freePorts(1);
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off'].flatMap((setting) => ['-c', setting]);
  const server = spawnPostgres(join(bin, 'postgres'), { args: ['-D', data, '-p', String(port), ...settings], stdio: 'pipe' });
  const url = (role: string, name: string) => `postgresql://${role}@127.0.0.1:${port}/${name}`;
  const superuser = async (sql: string) => {
    const client = new pg.Client({ connectionString: url('postgres', 'postgres') });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  await expect
    .poll(() =>
      superuser('SELECT 1').then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  await superuser('CREATE ROLE bili_owner LOGIN');
  await superuser('CREATE ROLE bili_app LOGIN');
  const newDatabase = async (name: string) => {
    await superuser(`CREATE DATABASE ${name} OWNER bili_owner`);
    const urls = { DATABASE_URL: url('bili_app', name), MIGRATE_DATABASE_URL: url('bili_owner', name) };
    return connectedSettings({ NODE_ENV: 'test', LOG_LEVEL: 'silent', SECRET_KEY: TEST_SECRET_KEY, POSTGRES_TOOLS: bin, ...urls });
  };
  const live = await newDatabase('live');
  await migrate(live.MIGRATE_DATABASE_URL ?? '', { applicationUrl: live.DATABASE_URL });
  const built = buildRuntime({ settings: live, process: 'test', secrets: createSecrets(live, firstKeys(TEST_SECRET_KEY)) });
  return {
    runtime: built,
    newDatabase,
    async stop() {
      await built.db.close();
      const exited = once(server, 'exit');
      server.kill('SIGINT');
      await exited;
    },
  };
}

test('an external database is dumped, restored on hold into an empty one, and passes a drill', async ({ skip }) => {
  if (tools === undefined) return skip('no PostgreSQL with pg_dump is installed in /usr/lib/postgresql');
  const external = await startExternal(tools);
  try {
    const { runtime: live } = external;
    const merchant = await makeMerchant(live);
    await seedBills(live, { scope: merchant.scope('sandbox'), uniqueReferences: false, bills: 200, onProgress: () => undefined });
    while (await sealEntries(live));
    const { name, database } = await makeBackup(live, { store, recipients: [keys.recipient] });
    expect(database).toBe('dump');
    const backup = await openBackup(store, { wanted: name, identities: [keys.identity] });

    const target = await external.newDatabase('restored');
    const actor = operatorActor('neema');
    const unknownRole = { ...target, DATABASE_URL: target.DATABASE_URL.replace('bili_app', 'unknown') };
    await expect(restoreExternal(backup, { settings: unknownRole, actor })).rejects.toThrow(/unknown/);
    expect(await restoreExternal(backup, { settings: target, actor })).toEqual([]);
    // The role of web and worker has its rights.
    await withCopy(target, async (copy) => {
      const [before, after] = [await readSums(live.db), await readSums(copy.db)];
      const differing = [...before.values].filter(([value, count]) => after.values.get(value) !== count);
      expect(differing.map(([value]) => value).sort()).toEqual(['rows of audit_entry', 'rows of hold']);
    });
    await expect(restoreExternal(backup, { settings: target, actor })).rejects.toThrow(/not empty/);

    await expect(drill(backup, { live, scratch: undefined })).rejects.toThrow(/--scratch/);
    const scratch = (live.settings.MIGRATE_DATABASE_URL ?? '').replace(/bili_owner@(.*)\/live/, 'postgres@$1/postgres');
    expect(await drill(backup, { live, scratch })).toEqual([]);
    const databases = await live.db.query({ text: "SELECT datname FROM pg_database WHERE datname = 'bili_drill'" });
    expect(databases).toEqual([]);
  } finally {
    await external.stop();
  }
});
