import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { syncFolder } from '@/lib/cli/terminal/files';
import { UserError } from '@/lib/cli/terminal/output';
import { MANIFEST, nameTime } from './format';

/** The place where backups are: a folder or a bucket. Paths have the form `<backup>/<part>`. */
export interface BackupStore {
  /** Returns the paths of all objects of backups. */
  list(): Promise<readonly string[]>;
  read(path: string): Promise<Readable>;
  /** Writes a new object. It is complete or not there. */
  write(path: string, content: Readable): Promise<void>;
  /** Deletes a backup. Its manifest is deleted first, so that an interrupted deletion leaves no backup that looks complete. */
  remove(backup: string): Promise<void>;
}

/**
 * Opens a folder with backups. Throws a UserError if it does not exist: the folder is usually on another disk, and without it the backups
 * would be written beside the database.
 */
export async function openFolderStore(folder: string): Promise<BackupStore> {
  const found = await stat(folder).catch(() => undefined);
  if (!found?.isDirectory()) throw new UserError(`There is no folder ${folder}. Create it, or mount the disk on which it is.`);
  return {
    async list() {
      // Other folders may be unreadable: a disk that is mounted here has lost+found, which belongs to root.
      const entries = await readdir(folder, { withFileTypes: true });
      const backups = entries.filter((entry) => entry.isDirectory() && nameTime(entry.name) !== undefined);
      const paths = await Promise.all(
        backups.map(async ({ name }) => (await readdir(join(folder, name))).map((part) => `${name}/${part}`)),
      );
      return paths.flat();
    },
    async read(path) {
      // The file is opened before the stream is returned, so that a missing file is an error of this call.
      const file = await open(join(folder, path)).catch((error: Error) => {
        throw new UserError(`${join(folder, path)} cannot be read: ${error.message}`);
      });
      return createReadStream('', { fd: file });
    },
    async write(path, content) {
      const target = join(folder, path);
      const part = `${target}.part`;
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await pipeline(content, createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true }));
      await rename(part, target);
      await syncFolder(dirname(target));
    },
    async remove(backup) {
      await rm(join(folder, backup, MANIFEST), { force: true });
      await rm(join(folder, backup), { recursive: true, force: true });
    },
  };
}
