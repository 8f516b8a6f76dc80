import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startOwnDatabase, storeOwnSecrets } from '@/lib/cli/deployment/open-database';
import { makeDatabaseFolder } from '@/testing/database-folder';
import { runCommand } from '@/testing/run-command';

let folder = '';
const at = (...names: readonly string[]) => join(folder, ...names);
const bili = (dataDir: string, ...args: readonly string[]) =>
  runCommand(args, { DATA_DIR: at(dataDir), BILI_CALLER_FOLDER: folder, BILI_OPERATOR: 'neema', LOG_LEVEL: 'silent' });

beforeAll(async () => {
  folder = await makeDatabaseFolder('bili-backups-');
  for (const name of ['live', 'backups']) await mkdir(at(name));
  // Only a start creates a database, and a command migrates it.
  const { secretKey: _, ...passwords } = await storeOwnSecrets(at('live'), undefined);
  await (await startOwnDatabase({ dataDir: at('live'), ...passwords, temporary: true })).stop();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('an embedded installation is backed up, proven and restored by commands alone', async () => {
  const key = await bili('live', 'backup', 'key', '--output', 'backup.key', '--json');
  const { recipient } = JSON.parse(key.stdout);
  expect((await stat(at('backup.key'))).mode & 0o777).toBe(0o600);
  expect(key.stdout).not.toContain('AGE-SECRET-KEY-');
  expect(await readFile(at('backup.key'), 'utf8')).toContain('AGE-SECRET-KEY-');
  await bili('live', 'merchant', 'create', '--name', 'Duka', '--email', 'duka@example.com');

  const unmounted = await bili('live', 'backup', '--to', 'nowhere', '--recipient', recipient);
  expect(unmounted).toMatchObject({ code: 1, stderr: expect.stringContaining('nowhere') });
  const warned = JSON.parse((await bili('live', 'doctor', '--quick', '--json')).stdout);
  expect(warned).toContainEqual(
    expect.objectContaining({ name: 'backup_current', level: 'wrong', details: [expect.stringContaining('nowhere')] }),
  );
  const wrong = await bili('live', 'backup', '--to', 'backups', '--recipient', 'age1wrong');
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('age1wrong') });
  expect(await bili('live', 'backup', '--to', 'backups', '--recipient', recipient, '--keep', '2')).toMatchObject({ code: 0, stderr: '' });
  const [name = ''] = await readdir(at('backups'));
  expect((await bili('live', 'backup', 'list', '--from', 'backups')).stdout).toContain(name);

  const from = ['--from', 'backups', '--identity', 'backup.key'];
  expect(await bili('live', 'backup', 'drill', ...from, '--scratch', folder)).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^Restoring [^\n]*\n$/),
  });
  const doctor = JSON.parse((await bili('live', 'doctor', '--quick', '--json')).stdout);
  for (const kind of ['backup_current', 'drill_current']) {
    expect(doctor).toContainEqual(expect.objectContaining({ name: kind, level: 'ok', text: expect.stringContaining(name) }));
  }

  expect(await bili('live', 'restore', ...from)).toMatchObject({ code: 1, stderr: expect.stringContaining('not empty') });
  expect(await bili('new', 'restore', ...from, '--secret-key-to', 'key.txt')).toMatchObject({ code: 0 });
  const { secretKey } = JSON.parse(await readFile(at('live', 'secrets.json'), 'utf8'));
  expect(await readFile(at('key.txt'), 'utf8')).toBe(`SECRET_KEY=${secretKey}\n`);
  expect((await bili('new', 'hold', '--json')).stdout).toContain('restored from a backup');
  expect((await bili('new', 'merchant', 'list')).stdout).toContain('duka');

  // A drill that fails is recorded, too.
  await bili('live', 'backup', 'key', '--output', 'other.key');
  const failed = await bili('live', 'backup', 'drill', '--from', 'backups', '--identity', 'other.key');
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('identity') });
  const later = JSON.parse((await bili('live', 'doctor', '--quick', '--json')).stdout);
  expect(later).toContainEqual(expect.objectContaining({ name: 'drill_current', level: 'wrong' }));
});
