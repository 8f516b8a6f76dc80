import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedBills } from '@/lib/cli/demo/seed-bills';
import { checkDeployment } from '@/lib/cli/deployment/check-deployment';
import { startOwnDatabase, storeOwnSecrets } from '@/lib/cli/deployment/open-database';
import { BACKUP_KINDS, recordSuccess } from '@/lib/entry/backups/status-store';
import { rotateKey } from '@/lib/entry/keys/rotate-key';
import { buildRuntime } from '@/lib/entry/processes/process-runtime';
import { connectedSettings } from '@/lib/entry/processes/start-settings';
import { setEndpoint } from '@/lib/gateway/webhooks/endpoint/set-endpoint';
import { sealEntries } from '@/lib/identity/audit/seal-entries';
import { replaceStoredKey } from '@/lib/platform/config/data-dir';
import { createSecrets, firstKeys } from '@/lib/platform/config/secrets';
import { readSettings } from '@/lib/platform/config/settings';
import { operatorActor } from '@/lib/platform/core/actor';
import type { Queryable } from '@/lib/platform/db/database';
import type { EmbeddedPostgres } from '@/lib/platform/db/embedded';
import { migrate } from '@/lib/platform/db/migrate';
import { openSecrets } from '@/lib/platform/keys/open-secrets';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { makeDatabaseFolder } from '@/testing/database-folder';
import { makeBill, makeMerchant, type TestMerchant } from '@/testing/runtime';
import { emptyTables, fillTables } from '@/testing/schema/fill-tables';
import { drill } from './drill';
import { makeIdentity } from './encryption';
import { type BackupStore, openFolderStore } from './folder-store';
import { backupName, DATABASE_PART, MANIFEST } from './format';
import { deleteOldBackups, makeBackup } from './make-backup';
import { listNames, openBackup } from './open-backup';
import { restoreEmbedded, withCopy } from './restore-backup';

const ACTOR = operatorActor('neema');

let folder = '';
let server: EmbeddedPostgres;
let runtime: Runtime;
let merchant: TestMerchant;
let store: BackupStore;
const keys = { identity: '', recipient: '' };

beforeAll(async () => {
  folder = await makeDatabaseFolder('bili-backup-');
  const dataDir = join(folder, 'live');
  for (const name of ['live', 'backups']) await mkdir(join(folder, name));
  const { secretKey, ...passwords } = await storeOwnSecrets(dataDir, undefined);
  server = await startOwnDatabase({ dataDir, ...passwords, temporary: true });
  await migrate(server.ownerUrl, { applicationUrl: server.url });
  const urls = { DATABASE_URL: server.url, MIGRATE_DATABASE_URL: server.ownerUrl, SECRET_KEY: secretKey };
  const settings = connectedSettings({ NODE_ENV: 'test', LOG_LEVEL: 'silent', DATA_DIR: dataDir, ...urls });
  runtime = buildRuntime({ settings, process: 'test', secrets: createSecrets(settings, firstKeys(secretKey)) });
  merchant = await makeMerchant(runtime);
  await seedBills(runtime, { scope: merchant.scope('sandbox'), uniqueReferences: false, bills: 300, onProgress: () => undefined });
  while (await sealEntries(runtime));
  store = await openFolderStore(join(folder, 'backups'));
  Object.assign(keys, await makeIdentity());
});
afterAll(async () => {
  await runtime.db.close();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const backUp = (to = store) => makeBackup(runtime, { store: to, recipients: [keys.recipient], superuserUrl: server.superuserUrl });
const open = (wanted?: string) => openBackup(store, { wanted, identities: [keys.identity] });

/** Creates a folder for a test with its own backups. */
async function newStore(name: string): Promise<BackupStore> {
  await mkdir(join(folder, name));
  return openFolderStore(join(folder, name));
}

test('a copy that was made during writes has all of its sums, and is as good as the original', async () => {
  const stopped = new AbortController();
  const writing = (async () => {
    for (let number = 0; !stopped.signal.aborted; number += 1) await makeBill(runtime, merchant, { reference: `DURING-${number}` });
  })();
  const { name, database } = await backUp();
  stopped.abort();
  await writing;
  expect(database).toBe('folder');
  const backup = await open(name);
  expect(Object.keys(backup.secrets.sums).length).toBeGreaterThan(60);
  expect(backup.secrets.heads).not.toEqual([]);
  expect(await drill(backup, { live: runtime, scratch: folder })).toEqual([]);
  expect((await readdir(folder)).filter((one) => one.startsWith('bili-drill-'))).toEqual([]);
});

test('everything in a backup is encrypted', async () => {
  const { name } = (await open()).manifest;
  const parts = await readdir(join(folder, 'backups', name));
  expect(parts.sort()).toEqual(['database.age', 'manifest.json', 'secrets.age']);
  for (const part of ['database.age', 'secrets.age']) {
    const content = await readFile(join(folder, 'backups', name, part), 'latin1');
    expect(content.startsWith('age-encryption.org/v1\n')).toBe(true);
    expect(content).not.toContain(runtime.settings.SECRET_KEY);
  }
  await expect(openBackup(store, { wanted: name, identities: [(await makeIdentity()).identity] })).rejects.toThrow(/identity/);
});

test('a drill finds rows that are missing, and an audit log that was cut', async () => {
  const backup = await open();
  const sums = { ...backup.secrets.sums };
  sums['rows of bill'] = [9_999n, 9_999n];
  const [head = ''] = backup.secrets.heads;
  // The number of the head is higher than that of the newest entry.
  const heads = [head.replace(/^(bili1:[^:]+:)\d+/, '$1999999')];
  const problems = await drill({ ...backup, secrets: { ...backup.secrets, sums, heads } }, { live: runtime, scratch: folder });
  expect(problems).toHaveLength(2);
  expect(problems[0]).toContain('rows of bill');
  expect(problems[1]).toContain('audit log');
});

test('a damaged part is found before it is used', async () => {
  const { name } = (await open()).manifest;
  const damaged = await newStore('damaged');
  await cp(join(folder, 'backups', name), join(folder, 'damaged', name), { recursive: true });
  const path = join(folder, 'damaged', name, DATABASE_PART);
  const content = await readFile(path);
  content[content.length >> 1] = (content[content.length >> 1] ?? 0) ^ 1;
  await writeFile(path, content);
  await expect(openBackup(damaged, { wanted: undefined, identities: [keys.identity] })).rejects.toThrow(/database\.age.*damaged/);
});

test('other folders in the place of backups are not read', async () => {
  const disk = await newStore('disk');
  await mkdir(join(folder, 'disk', 'lost+found'));
  await writeFile(join(folder, 'disk', 'lost+found', MANIFEST), '{}');
  expect(await disk.list()).toEqual([]);
});

test.each([DATABASE_PART, MANIFEST])('a backup that fails while %s is written leaves nothing', async (failing) => {
  const target = await newStore(`failing-${failing}`);
  const broken: BackupStore = {
    ...target,
    async write(path, content) {
      if (!path.endsWith(failing)) return target.write(path, content);
      async function* half() {
        for await (const chunk of content) {
          yield chunk;
          throw new Error('the disk is full');
        }
      }
      return target.write(path, Readable.from(half()));
    },
  };
  await expect(backUp(broken)).rejects.toThrow('the disk is full');
  expect(await target.list()).toEqual([]);
});

test('a backup without its manifest is none, and old backups are deleted except for a proven one', async () => {
  const many = await newStore('many');
  const names = [1, 2, 3, 4].map((day) => backupName(new Date(Date.UTC(2026, 10, day)), new Uint8Array(4)));
  for (const path of names.flatMap((name) => [`${name}/${DATABASE_PART}`, `${name}/${MANIFEST}`]))
    await many.write(path, Readable.from(['x']));
  const [first = '', second = '', third = '', fourth = ''] = names;
  await rm(join(folder, 'many', fourth, MANIFEST));
  await mkdir(join(folder, 'many', 'photos'));
  expect(await listNames(many)).toEqual({ complete: [first, second, third], incomplete: [fourth] });
  const soon = new Date(Date.UTC(2026, 10, 4, 12));
  expect(await deleteOldBackups(many, { keep: 1, proven: first, now: soon })).toEqual([second]);
  const later = new Date(Date.UTC(2026, 10, 7));
  expect(await deleteOldBackups(many, { keep: 1, proven: null, now: later })).toEqual([fourth, first]);
  expect(await readdir(join(folder, 'many'))).toEqual([third, 'photos']);
});

test('a backup that was made after the master key was replaced is restored with the new key', async () => {
  const { settings } = runtime;
  expect(await setEndpoint(runtime, merchant.operator('sandbox'), 'http://127.0.0.1:9/')).toMatchObject({ ok: true });
  await openSecrets(runtime.db, settings);
  for (const step of ['add', 'swap'] as const) await replaceStoredKey(settings.DATA_DIR, step);
  const { secretKey, otherSecretKey } = await storeOwnSecrets(settings.DATA_DIR, undefined);
  expect(otherSecretKey).toBe(settings.SECRET_KEY);
  const keysOfBoth = { SECRET_KEY: secretKey, SECRET_KEY_OTHER: otherSecretKey };
  const replaced = { ...runtime, settings: { ...settings, ...keysOfBoth }, secrets: await openSecrets(runtime.db, keysOfBoth) };
  expect(await rotateKey(replaced, { actor: ACTOR, signal: new AbortController().signal })).toMatchObject({ ok: true });
  await replaceStoredKey(settings.DATA_DIR, 'drop');

  const only = { ...settings, SECRET_KEY: secretKey, SECRET_KEY_OTHER: undefined };
  // The tests below go on with the new key.
  runtime = { ...replaced, settings: only };
  const { name } = await backUp();
  const backup = await open(name);
  expect(await drill(backup, { live: runtime, scratch: folder })).toEqual([]);
  const dataDir = join(folder, 'restored-later');
  const read = readSettings({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' });
  if (!read.ok) throw new Error(read.error.join());
  expect(await restoreEmbedded(backup, { settings: read.value, actor: ACTOR })).toEqual([]);
  const { secretKey: restored, ...passwords } = await storeOwnSecrets(dataDir, undefined);
  expect(restored).toBe(secretKey);
  const copied = await startOwnDatabase({ dataDir, ...passwords, temporary: true });
  try {
    const opened = { ...only, DATABASE_URL: copied.url };
    expect((await checkDeployment(opened)).key('receipt')).toEqual(firstKeys(settings.SECRET_KEY).get('receipt'));
    await expect(checkDeployment({ ...opened, SECRET_KEY: settings.SECRET_KEY })).rejects.toThrow(/SECRET_KEY|master key/);
  } finally {
    await copied.stop();
  }
});

/** Returns a digest of the rows of each table, except for unlogged ones. */
async function digests(db: Queryable): Promise<Map<string, unknown>> {
  const tables = await db.query({
    text: "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND relpersistence = 'p'",
  });
  const found = new Map<string, unknown>();
  for (const { relname } of tables) {
    const [row] = await db.query({
      text: `SELECT count(*) AS rows, md5(string_agg(t::text, '' ORDER BY t::text)) AS md5 FROM "${relname}" t`,
    });
    found.set(relname, row);
  }
  return found;
}

test('a backup with rows in every table is restored into a new DATA_DIR only, and the copy is on hold', async () => {
  for (const kind of BACKUP_KINDS) await recordSuccess(runtime.db, kind, 'an earlier one', new Date());
  await runtime.db.query({ text: "SELECT add_webhook_attempt_partition('webhook_attempt_2026_11_20', '2026-11-20', '2026-11-27')" });
  const client = new pg.Client({ connectionString: server.superuserUrl.replace(/\/postgres$/, '/bili') });
  await client.connect();
  await fillTables(client);
  expect(await emptyTables(client)).toEqual([]);
  await client.query('DELETE FROM hold');
  await client.end();
  const { name } = await backUp();
  const dataDir = join(folder, 'restored');
  const read = readSettings({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' });
  if (!read.ok) throw new Error(read.error.join());
  expect(await restoreEmbedded(await open(name), { settings: read.value, actor: ACTOR })).toEqual([]);
  expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'secrets.json']);

  const { secretKey, ...passwords } = await storeOwnSecrets(dataDir, undefined);
  expect(secretKey).toBe(runtime.settings.SECRET_KEY);
  const copied = await startOwnDatabase({ dataDir, ...passwords, temporary: true });
  try {
    await withCopy({ ...runtime.settings, DATABASE_URL: copied.url }, async (copy) => {
      const [before, after] = [await digests(runtime.db), await digests(copy.db)];
      // The hold and its audit entry are what differs.
      const differing = [...before].filter(([table, digest]) => !isDeepStrictEqual(after.get(table), digest));
      expect(differing.map(([table]) => table).sort()).toEqual(['audit_entry', 'hold']);
    });
  } finally {
    await copied.stop();
  }
  const again = restoreEmbedded(await open(name), { settings: read.value, actor: ACTOR });
  await expect(again).rejects.toThrow(/not empty/);
});
