import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '@/lib/cli/terminal/files';
import { progress } from '@/lib/cli/terminal/output';
import { StartError } from '@/lib/entry/processes/start-settings';
import { upgradeFolder } from '@/lib/platform/config/data-dir';
import type { Settings } from '@/lib/platform/config/settings';
import type { Actor } from '@/lib/platform/core/actor';
import { readStoredVersion } from '@/lib/platform/db/embedded';
import { migrate } from '@/lib/platform/db/migrate';
import { installOlderBinaries } from '@/lib/platform/db/older-binaries';
import { findBinaries, readMajorVersion } from '@/lib/platform/db/postgres-binaries';
import { claimInstance, needClaim } from './instance';
import { moveEmbedded } from './move-embedded';
import { needDataDir, startOwnDatabase, storeOwnSecrets } from './open-database';

interface Upgraded {
  readonly from: string;
  readonly to: string;
  /** The folder with the old data, which Bili does not use any more. */
  readonly kept: string;
}

/**
 * Moves the embedded database of an older major version of PostgreSQL into a new folder of the installed version. npm installs the programs
 * of the old version for the time of the move. Until the move is complete, the old folder stays where it is, so a killed upgrade can be
 * started again, and the older Bili can still be used.
 * @returns null if the database has the installed version already. Throws a StartError if it cannot be upgraded.
 */
export async function upgradeEmbedded(settings: Settings, actor: Actor): Promise<Upgraded | null> {
  const { DATA_DIR } = settings;
  const claim = await claimInstance(await needDataDir(DATA_DIR), 'command');
  needClaim(claim, DATA_DIR);
  try {
    const [folder, work] = [join(DATA_DIR, 'postgres'), upgradeFolder(DATA_DIR)];
    const { secretKey, databasePassword, superuserPassword } = await storeOwnSecrets(DATA_DIR, settings.SECRET_KEY);
    const passwords = { databasePassword, superuserPassword };
    const to = await readMajorVersion((await findBinaries()).postgres);
    const from = existsSync(folder) ? await readStoredVersion(folder) : to;
    if (from === to) return null;
    const kept = join(DATA_DIR, `postgres-${from}`);
    if (existsSync(kept)) throw new StartError(`${kept} exists already: move it away first.`);

    await rm(work, { recursive: true, force: true });
    progress(`Installing the programs of PostgreSQL ${from}…`);
    const binaries = await installOlderBinaries(from, join(work, 'programs'));
    const old = await startOwnDatabase({ dataDir: DATA_DIR, ...passwords, binaries });
    try {
      await migrate(old.ownerUrl, { applicationUrl: old.url });
      const fresh = await startOwnDatabase({ dataDir: work, ...passwords });
      try {
        const source = { ...settings, DATABASE_URL: old.url, MIGRATE_DATABASE_URL: old.ownerUrl, SECRET_KEY: secretKey };
        await moveEmbedded(source, fresh.ownerUrl, actor);
        await migrate(fresh.ownerUrl, { applicationUrl: fresh.url });
      } finally {
        await fresh.stop();
      }
    } finally {
      await old.stop();
    }
    // If the process is killed between the two, the next start of the database finishes.
    await rename(folder, kept);
    await syncFolder(DATA_DIR);
    await rename(join(work, 'postgres'), folder);
    await syncFolder(DATA_DIR);
    await rm(work, { recursive: true, force: true });
    return { from, to, kept };
  } finally {
    await claim.release();
  }
}
