// @module-tag full

import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedBills } from '@/lib/cli/demo/seed-bills';
import { buildRuntime } from '@/lib/entry/processes/process-runtime';
import { verifyLedger } from '@/lib/gateway/ledger/verify-ledger';
import { upgradeFolder } from '@/lib/platform/config/data-dir';
import { createSecrets, firstKeys } from '@/lib/platform/config/secrets';
import { readSettings } from '@/lib/platform/config/settings';
import { startEmbedded } from '@/lib/platform/db/embedded';
import { migrate } from '@/lib/platform/db/migrate';
import { installOlderBinaries } from '@/lib/platform/db/older-binaries';
import { makeDatabaseFolder } from '@/testing/database-folder';
import { makeMerchant, TEST_OPERATOR, TEST_SECRET_KEY } from '@/testing/runtime';
import { withEmbedded } from './connect';
import { claimInstance, isClaim } from './instance';
import { storeOwnSecrets } from './open-database';
import { upgradeEmbedded } from './upgrade-embedded';

// npm installs an older PostgreSQL from its registry or its cache, twice.
let folder = '';
let dataDir = '';
beforeAll(async () => {
  folder = await makeDatabaseFolder('bili-upgrade-');
  dataDir = join(folder, 'data');
  await mkdir(dataDir);
  const { databasePassword, superuserPassword } = await storeOwnSecrets(dataDir, TEST_SECRET_KEY);
  const binaries = await installOlderBinaries('17', join(folder, 'programs'));
  const older = await startEmbedded({ dataDir, databasePassword, superuserPassword, binaries });
  await migrate(older.ownerUrl, { applicationUrl: older.url });
  const runtime = openRuntime(older.url);
  const merchant = await makeMerchant(runtime);
  const bills = { scope: merchant.scope('sandbox'), uniqueReferences: false, bills: 200, onProgress: () => undefined };
  expect(await seedBills(runtime, bills)).toMatchObject({ ok: true });
  await runtime.db.close();
  await older.stop();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function settings() {
  const read = readSettings({ NODE_ENV: 'test', DATA_DIR: dataDir, SECRET_KEY: TEST_SECRET_KEY, LOG_LEVEL: 'silent' });
  if (!read.ok) throw new Error(read.error.join());
  return read.value;
}

function openRuntime(url: string) {
  const connected = { ...settings(), DATABASE_URL: url, SECRET_KEY: TEST_SECRET_KEY };
  return buildRuntime({ settings: connected, process: 'test', secrets: createSecrets(connected, firstKeys(TEST_SECRET_KEY)) });
}

/** Opens the embedded database as a command does. Returns how many bills it has, and the checks of the ledger that fail. */
const look = () =>
  withEmbedded(settings(), async ({ DATABASE_URL }) => {
    const { db } = openRuntime(DATABASE_URL);
    try {
      return { bills: await db.prisma.bill.count(), broken: (await verifyLedger(db)).filter(({ count }) => count > 0) };
    } finally {
      await db.close();
    }
  });

test('a database of an older PostgreSQL is upgraded by a stopped Bili, and a killed upgrade is finished', async () => {
  await expect(look()).rejects.toThrow(/PostgreSQL 17.*database upgrade/);
  const start = await claimInstance(dataDir, 'start');
  await expect(upgradeEmbedded(settings(), TEST_OPERATOR)).rejects.toThrow('Stop it first');
  if (isClaim(start)) await start.release();

  const kept = join(dataDir, 'postgres-17');
  expect(await upgradeEmbedded(settings(), TEST_OPERATOR)).toEqual({ from: '17', to: '18', kept });
  expect(await look()).toEqual({ bills: 200, broken: [] });
  expect(existsSync(join(kept, 'PG_VERSION'))).toBe(true);
  expect(existsSync(upgradeFolder(dataDir))).toBe(false);
  expect(await upgradeEmbedded(settings(), TEST_OPERATOR)).toBeNull();

  // As if the upgrade had been killed between the moves of the two folders.
  await mkdir(upgradeFolder(dataDir));
  await rename(join(dataDir, 'postgres'), join(upgradeFolder(dataDir), 'postgres'));
  expect(await look()).toEqual({ bills: 200, broken: [] });
});
