import { execFile } from 'node:child_process';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Cluster, makeCluster } from '../cluster';
import type { Scenario } from '../scenario';
import { waitForVerdict } from '../verdict';

const run = promisify(execFile);
const DISK = 'disk';
const FILLER = 'filler';
const CHUNK = Buffer.alloc(1024 * 1024);

export const diskFull: Scenario = {
  name: 'disk-full',
  what: "PostgreSQL's disk is full for at least 15 s, and the server ends",
  recoverySeconds: 30,
  async layout({ template, folder, undo }) {
    const disk = join(folder, DISK);
    await mkdir(disk);
    try {
      await run('mount', ['-t', 'tmpfs', '-o', 'size=400m', 'tmpfs', disk]);
    } catch (error) {
      return `A small disk cannot be mounted here (root is needed): ${error instanceof Error ? error.message.trim().split('\n').at(-1) : error}`;
    }
    undo(() => run('umount', [disk]));
    const cluster = await makeCluster(template, join(disk, 'primary'));
    undo(() => cluster.stop('fast'));
    await cluster.start();
    return { cluster, frontPort: cluster.port, disk };
  },
  async fault(world) {
    const { cluster, disk = '' } = world.layout;
    const filler = join(disk, FILLER);
    await fill(filler);
    const full = performance.now();
    const reason = 'No space left on device';
    const problems = await waitForVerdict(world, { reason, finding: 'commits_end', detail: reason, alert: 'BiliCommitsFail' });
    await crash(cluster);
    await delay(15_000 - (performance.now() - full));
    await rm(filler);
    await cluster.start();
    return { problems };
  },
};

/** Makes the server use up its recycled WAL files. The server stops when the disk has no space for a new WAL file. */
async function crash(cluster: Cluster): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (cluster.isRunning() && performance.now() < deadline) {
    // Fails when the server stops.
    await cluster.sql('SELECT pg_switch_wal()').catch(() => undefined);
    await delay(100);
  }
}

async function fill(path: string): Promise<void> {
  const file = await open(path, 'w');
  try {
    for (;;) await file.write(CHUNK);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  } finally {
    await file.close();
  }
}
