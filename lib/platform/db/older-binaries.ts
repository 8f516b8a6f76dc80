import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { ExpectedError } from '@/lib/platform/config/expected-error';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';
import { type Binaries, findBinaries } from './postgres-binaries';

/** For each older major version, a folder with the package.json of an installation, and a lock file with the checksums of its packages. */
const OLDER = join(PROJECT_ROOT, 'lib', 'platform', 'db', 'older-postgres');

/** Overrules settings of the user's npm with which the installation would be incomplete. */
const ARGUMENTS = ['ci', '--include=optional', '--ignore-scripts=false', '--workspaces=false', '--dry-run=false'];

/**
 * Installs the programs of an older major version of PostgreSQL with npm, which compares them with the checksums of the lock file.
 * @param folder the new folder of the installation. The caller removes it.
 * @returns its programs. Throws an ExpectedError if this version is not known, or cannot be installed.
 */
export async function installOlderBinaries(major: string, folder: string): Promise<Binaries> {
  const source = join(OLDER, major);
  if (!existsSync(source))
    throw new ExpectedError(`This version of Bili cannot read a database of PostgreSQL ${major}. Use an older one first.`);
  await cp(source, folder, { recursive: true });
  const npm = spawn('npm', [...ARGUMENTS, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  const [code] = await once(npm, 'close');
  if (code !== 0) throw new ExpectedError(`The programs of PostgreSQL ${major} could not be installed: see above, and check the network.`);
  return findBinaries(folder);
}
