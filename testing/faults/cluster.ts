import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { cp, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { startEmbedded } from '@/lib/platform/db/embedded';
import { migrate } from '@/lib/platform/db/migrate';
import { findBinaries, ownAsPostgres, spawnPostgres } from '@/lib/platform/db/postgres-binaries';
import { freePorts } from '@/testing/free-ports';

const PASSWORD = 'faults';
const START_TIMEOUT_MS = 60_000;

/** `fast` ends the database sessions and stops in order, `immediate` is a crash of the server, `kill` is a crash of the machine. */
export type StopMode = 'fast' | 'immediate' | 'kill';
const SIGNALS = { fast: 'SIGINT', immediate: 'SIGQUIT', kill: 'SIGKILL' } as const;

/** A PostgreSQL server whose failures can be simulated. */
export interface Cluster {
  readonly port: number;
  /** The URL with which the product's own role connects to its database. */
  readonly url: string;
  /** Starts the server and waits until it answers. */
  start(): Promise<void>;
  /** Stops the server and resolves when its process has ended. */
  stop(mode: StopMode): Promise<void>;
  isRunning(): boolean;
  /** Runs SQL as superuser in the product's database. */
  sql(text: string): Promise<Record<string, unknown>[]>;
}

/** Creates the data folder, with the migrated database, that all clusters copy. Returns the path of this folder. */
export async function makeTemplate(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const embedded = await startEmbedded({ dataDir: folder, databasePassword: PASSWORD, superuserPassword: PASSWORD });
  try {
    await migrate(embedded.ownerUrl, { applicationUrl: embedded.url });
  } finally {
    await embedded.stop();
  }
  const template = join(folder, 'template');
  await rename(join(folder, 'postgres'), template);
  return template;
}

/** Copies the template to a folder for a new cluster. @param primary if given, the new cluster is a standby of this one. */
export async function makeCluster(template: string, folder: string, primary?: Cluster): Promise<Cluster> {
  const { postgres } = await findBinaries();
  const [port = 0] = await freePorts(1);
  await cp(template, folder, { recursive: true });
  if (primary) {
    await writeFile(join(folder, 'standby.signal'), '');
    const address = `host=127.0.0.1 port=${primary.port} user=postgres password=${PASSWORD}`;
    await writeFile(join(folder, 'postgresql.auto.conf'), `primary_conninfo = '${address}'\n`);
  }
  await ownAsPostgres(folder);
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=120', 'log_min_messages=warning'];
  const args = ['-D', folder, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
  const superuserUrl = `postgresql://postgres:${PASSWORD}@127.0.0.1:${port}/bili`;
  let child: ChildProcess | undefined;
  const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null;

  return {
    port,
    url: `postgresql://bili:${PASSWORD}@127.0.0.1:${port}/bili`,
    isRunning,
    async start() {
      const deadline = Date.now() + START_TIMEOUT_MS;
      while (!isRunning() || !(await answers(superuserUrl))) {
        if (Date.now() > deadline) throw new Error(`PostgreSQL did not start: ${await readFile(`${folder}.log`, 'utf8')}`);
        // Directly after a crash, processes of the old server may still use its shared memory. A new server then exits at once, so it is
        // started repeatedly.
        if (!isRunning()) {
          const log = openSync(`${folder}.log`, 'a');
          child = spawnPostgres(postgres, { args, stdio: ['ignore', log, log] });
          closeSync(log);
        }
        await delay(100);
      }
    },
    async stop(mode) {
      if (!child || !isRunning()) return;
      const exited = once(child, 'exit');
      child.kill(SIGNALS[mode]);
      await exited;
    },
    async sql(text) {
      const client = new pg.Client({ connectionString: superuserUrl, options: '-c default_transaction_read_only=off' });
      client.on('error', () => undefined);
      await client.connect();
      try {
        return (await client.query(text)).rows;
      } finally {
        await client.end();
      }
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    // Not ready yet.
    return false;
  } finally {
    await client.end();
  }
}
