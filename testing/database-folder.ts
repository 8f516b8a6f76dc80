import { mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The folder of Linux whose files are only in memory. */
const MEMORY = '/dev/shm';
/** Enough free memory for the databases of all tests that run at the same time. */
const NEEDED_BYTES = 4 * 1024 ** 3;

/**
 * Creates a folder for the data of a test's PostgreSQL: in memory if there is room. A new database has about a thousand files, and their
 * creation on a disk can take more than twenty times as long.
 */
export async function makeDatabaseFolder(prefix: string): Promise<string> {
  return mkdtemp(join((await hasRoom()) ? MEMORY : tmpdir(), prefix));
}

async function hasRoom(): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(MEMORY);
    return bavail * bsize >= NEEDED_BYTES;
  } catch {
    return false;
  }
}
