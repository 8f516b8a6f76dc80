import { copyFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { storeSecrets } from '@/lib/platform/config/data-dir';
import { type EmbeddedPostgres, startEmbedded } from '@/lib/platform/db/embedded';
import { makeDatabaseFolder } from '@/testing/database-folder';
import { runCommand } from '@/testing/run-command';
import { TEST_SECRET_KEY } from '@/testing/runtime';

// Each command starts an embedded server and stops it.
const SETTINGS = ['fsync=off', 'shared_buffers=16MB'];

let folder = '';
let dataDir = '';
let server: EmbeddedPostgres;
beforeAll(async () => {
  folder = await makeDatabaseFolder('bili-database-');
  dataDir = join(folder, 'data');
  await mkdir(dataDir);
  const { secretKey: _key, ...passwords } = await storeSecrets(dataDir, TEST_SECRET_KEY);
  await (await startEmbedded({ dataDir, ...passwords, settings: SETTINGS })).stop();
  server = await startEmbedded({ dataDir: join(folder, 'server'), databasePassword: 'a', superuserPassword: 'a', settings: SETTINGS });
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const bili = (args: readonly string[], env: Readonly<Record<string, string>> = { DATA_DIR: dataDir }) =>
  runCommand(['--as', 'neema', ...args], env);

test('an embedded database is copied, and moved to a server', async () => {
  const created = await bili(['merchant', 'create', '--name', 'Duka la Asha', '--email', 'asha@example.com', '--json']);
  expect(created).toMatchObject({ code: 0 });

  const copy = join(folder, 'copy');
  expect(await bili(['database', 'copy', '--to', copy])).toMatchObject({ code: 0, stderr: '' });
  expect(await bili(['database', 'copy', '--to', copy])).toMatchObject({ code: 1, stderr: expect.stringContaining('exists already') });
  await copyFile(join(dataDir, 'secrets.json'), join(copy, 'secrets.json'));
  const listed = await bili(['merchant', 'list', '--json'], { DATA_DIR: copy });
  expect(JSON.parse(listed.stdout)).toMatchObject([{ slug: 'duka-la-asha' }]);

  const external = { DATABASE_URL: server.url, MIGRATE_DATABASE_URL: server.ownerUrl, SECRET_KEY: TEST_SECRET_KEY };
  const moved = await bili(['database', 'move', '--json'], { DATA_DIR: dataDir, BILI_MOVE_TO: server.ownerUrl });
  expect(moved).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(moved.stdout)).toMatchObject({ tables: expect.arrayContaining([{ table: 'merchant', rows: 1 }]) });
  expect(await bili(['migrate'], external)).toMatchObject({ code: 0 });
  const found = await bili(['merchant', 'list', '--json'], external);
  expect(JSON.parse(found.stdout)).toMatchObject([{ slug: 'duka-la-asha' }]);

  expect(await bili(['database', 'move', '--to', server.ownerUrl])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('not empty'),
  });
  expect(await bili(['database', 'upgrade', '--json'])).toMatchObject({ code: 0, stdout: 'null\n' });
});

test('a move needs an address of PostgreSQL, and a person', async () => {
  expect(await bili(['database', 'move', '--to', 'mysql://x'])).toMatchObject({ code: 2 });
  const nobody = await runCommand(['database', 'move', '--to', server.ownerUrl], { DATA_DIR: dataDir, BILI_OPERATOR: '' });
  expect(nobody).toMatchObject({ code: 1, stderr: expect.stringContaining('--as') });
});
