import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { link, rm, stat } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { StartError } from '@/lib/entry/processes/start-settings';
import { readJson, writePrivateJson } from '@/lib/platform/config/data-dir';
import { SECOND_MS } from '@/lib/platform/core/clock';
import { folderIdentity } from '@/lib/platform/db/embedded';
import { isAlive } from '@/lib/platform/db/postgres-binaries';

const instanceSchema = z.object({
  /** The kind of process that has claimed the DATA_DIR: `start` or `command`. */
  holder: z.string(),
  pid: z.number(),
  /** A loopback port on which the process that has claimed the DATA_DIR answers with `nonce`. */
  port: z.number(),
  nonce: z.string(),
  /** What identifies the DATA_DIR, because a copy of the folder has a copy of this file. Older versions do not write it. */
  folder: z.string().optional(),
});

type Instance = Readonly<z.infer<typeof instanceSchema>>;

export interface Claim {
  release(): Promise<void>;
}

const COMMAND_WAIT_MS = 60 * SECOND_MS;
const ANSWER_MS = 2 * SECOND_MS;
const CLEANING_MS = 30 * SECOND_MS;

/**
 * Claims a DATA_DIR for this process: writes a file with a port on which this process answers. If a command has already claimed the folder,
 * waits until the command ends. If a process was killed, its file remains, but its port does not answer, so another process can claim the
 * folder. So can a process that finds the file in a copy of the folder.
 * @returns the claim, or the process that has claimed the folder, if that is a `start` or a command that runs for too long
 */
export async function claimInstance(dataDir: string, holder: 'start' | 'command'): Promise<Claim | Instance> {
  const path = join(dataDir, 'instance.json');
  const nonce = randomUUID();
  const server = createServer((socket) => socket.on('error', () => undefined).end(nonce));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port for the instance');
  const mine = `${path}.${nonce}`;
  const folder = await folderIdentity(dataDir);
  await writePrivateJson(mine, { holder, pid: process.pid, port: address.port, nonce, folder } satisfies Instance);

  try {
    const deadline = Date.now() + COMMAND_WAIT_MS;
    // Creating a hard link is atomic, and never replaces an existing file.
    while (!(await linkOnce(mine, path))) {
      const other = await readInstance(path);
      const copied = other?.folder !== undefined && other.folder !== folder;
      if (!other || copied || !(await isHeld(other))) {
        await removeStale(path, mine, other?.nonce);
        continue;
      }
      if (other.holder === 'start' || Date.now() > deadline) {
        server.close();
        return other;
      }
      await delay(100);
    }
  } finally {
    await rm(mine, { force: true });
  }
  return {
    async release() {
      // The port is closed last, because other processes believe that this process is alive only while the port answers.
      if ((await readInstance(path))?.nonce === nonce) await rm(path, { force: true });
      server.close();
    },
  };
}

export function isClaim(claimed: Claim | Instance): claimed is Claim {
  return 'release' in claimed;
}

/** Throws a StartError if another process has claimed the DATA_DIR. */
export function needClaim(claimed: Claim | Instance, dataDir: string): asserts claimed is Claim {
  if (isClaim(claimed)) return;
  throw new StartError(`Bili already runs with DATA_DIR ${dataDir} (process ${claimed.pid}). Stop it first, or set another DATA_DIR.`);
}

/** Returns whether Bili was started with a DATA_DIR and still runs. */
export async function isStarted(dataDir: string): Promise<boolean> {
  const instance = await readInstance(join(dataDir, 'instance.json'));
  return instance?.holder === 'start' && (await isHeld(instance));
}

async function linkOnce(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Removes the file of a dead process. Only one process may do this at a time. Suppose that two processes did: after the first has removed
 * the file, a third process could claim the folder, and the second would remove the file of the third.
 */
async function removeStale(path: string, own: string, nonce: string | undefined): Promise<void> {
  const cleaning = `${path}.cleaning`;
  if (!(await linkOnce(own, cleaning))) {
    const since = await stat(cleaning).catch(() => null);
    // Removing takes milliseconds. If the file `cleaning` is much older, the process that created it has died.
    if (since && Date.now() - since.ctimeMs > CLEANING_MS) await rm(cleaning, { force: true });
    else await delay(20);
    return;
  }
  try {
    if ((await readInstance(path))?.nonce === nonce) await rm(path, { force: true });
  } finally {
    await rm(cleaning, { force: true });
  }
}

/** Returns the content of an instance file, or undefined if it is missing or invalid. */
async function readInstance(path: string): Promise<Instance | undefined> {
  const value = await readJson(path).catch(() => undefined);
  return instanceSchema.safeParse(value).data;
}

/**
 * Returns whether the process that has claimed the folder is alive. If the process accepts the connection but does not answer, it may be
 * stopped (Ctrl-Z) or busy, so its process id is checked.
 */
async function isHeld({ port, nonce, pid }: Instance): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1', timeout: ANSWER_MS });
  let silent = false;
  socket.on('timeout', () => {
    silent = true;
    socket.destroy();
  });
  try {
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    return silent ? isAlive(pid) : text === nonce;
  } catch {
    // If `silent` is true, the timeout ended the connection. Otherwise the connection was refused: the process is dead.
    return silent && isAlive(pid);
  } finally {
    socket.destroy();
  }
}
