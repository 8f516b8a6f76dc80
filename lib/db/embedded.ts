import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { findBinaries, isAlive, ownAsPostgres, spawnPostgres } from './postgres-binaries';

const DATABASE = 'bili';
const ROLE = 'bili';
const START_TIMEOUT_MS = 60_000;
const RETRY_START_MS = 15_000;
const STOP_TIMEOUT_MS = 20_000;

interface EmbeddedOptions {
  readonly dataDir: string;
  readonly databasePassword: string;
  readonly superuserPassword: string;
  /** `name=value` server settings, for tests. */
  readonly settings?: readonly string[];
  /** If true, the server confirms changes before they are on disk. That is faster, but a crash of the machine can destroy the database. */
  readonly temporary?: boolean;
  /** A free port if absent. */
  readonly port?: number;
}

export interface EmbeddedPostgres {
  /** URL of the application's database, with the password of its role. The role is not a superuser. */
  readonly url: string;
  readonly superuserUrl: string;
  /** Resolves when the server process has ended, for any reason. */
  readonly exited: Promise<undefined>;
  /** Closes all sessions and shuts the server down. */
  stop(): Promise<void>;
}

/**
 * Starts the embedded PostgreSQL in `dataDir/postgres` on a loopback port. The first start creates this folder with `initdb`. Stops a
 * server that a killed instance of Bili has left running. Throws an error for the operator if the server does not start.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const folder = join(options.dataDir, 'postgres');
  const binaries = await findBinaries();
  if (!existsSync(join(folder, 'PG_VERSION'))) await initialise(binaries.initdb, folder, options);
  await stopLeftOver(folder);
  await ownAsPostgres(folder);

  const port = options.port ?? (await freePort());
  const superuserUrl = `postgresql://postgres:${options.superuserPassword}@127.0.0.1:${port}/postgres`;
  const { child, exited } = await startServer(binaries.postgres, { folder, port, superuserUrl, options });
  try {
    await createRoleAndDatabase(superuserUrl, options.databasePassword);
  } catch (error) {
    child.kill('SIGQUIT');
    await exited;
    throw error;
  }
  child.unref();

  return {
    url: `postgresql://${ROLE}:${options.databasePassword}@127.0.0.1:${port}/${DATABASE}`,
    superuserUrl,
    exited,
    async stop() {
      child.ref();
      child.kill('SIGINT');
      await Promise.race([exited, delay(STOP_TIMEOUT_MS, undefined, { ref: false })]);
      child.kill('SIGQUIT');
      await exited;
    },
  };
}

interface ServerOptions {
  readonly folder: string;
  readonly port: number;
  readonly superuserUrl: string;
  readonly options: EmbeddedOptions;
}

/** Retries, because after a kill -9 the old server's processes use its shared memory for a moment, and no new server can start then. */
async function startServer(program: string, server: ServerOptions): Promise<{ child: ChildProcess; exited: Promise<undefined> }> {
  const logPath = join(server.options.dataDir, 'postgres.log');
  const deadline = Date.now() + RETRY_START_MS;
  for (;;) {
    const log = openSync(logPath, 'a', 0o600);
    const child = spawnPostgres(program, {
      args: ['-D', server.folder, '-p', String(server.port), ...serverFlags(server.options)],
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    const exited = once(child, 'exit').then(() => undefined);
    try {
      if (await waitUntilReady(server.superuserUrl, () => child.exitCode !== null || child.signalCode !== null)) return { child, exited };
    } catch (error) {
      child.kill('SIGQUIT');
      await exited;
      throw error;
    }
    if (Date.now() > deadline) throw new Error(`The embedded PostgreSQL did not start: see ${logPath}`);
    await delay(250);
  }
}

/** Returns the URL of the server that runs in a data folder, or undefined if none runs. */
export async function findRunningEmbedded(dataDir: string, databasePassword: string): Promise<string | undefined> {
  const running = await readPostmasterPid(join(dataDir, 'postgres'));
  return running && `postgresql://${ROLE}:${databasePassword}@127.0.0.1:${running.port}/${DATABASE}`;
}

function serverFlags({ settings = [], temporary = false }: EmbeddedOptions): string[] {
  const all = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=120',
    // Half of PostgreSQL's default, because the whole product should fit in 700 MB. The system also caches the files.
    'shared_buffers=64MB',
    'log_min_messages=warning',
    ...(temporary ? ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'] : []),
    ...settings,
  ];
  return all.flatMap((setting) => ['-c', setting]);
}

/** Runs `initdb` in a temporary folder and renames that folder, so that a killed start leaves no incomplete data folder. */
async function initialise(
  initdb: string,
  folder: string,
  { dataDir, superuserPassword, temporary = false }: EmbeddedOptions,
): Promise<void> {
  const part = join(dataDir, 'postgres.part');
  const passwordFile = join(part, 'password');
  const cluster = join(part, 'cluster');
  await rm(part, { recursive: true, force: true });
  await mkdir(part, { recursive: true, mode: 0o700 });
  await writeFile(passwordFile, superuserPassword, { mode: 0o600 });
  await ownAsPostgres(part);
  const child = spawnPostgres(initdb, {
    args: [
      '-D',
      cluster,
      '-U',
      'postgres',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--no-instructions',
      ...(temporary ? ['--no-sync'] : []),
    ],
    stdio: 'pipe',
  });
  let output = '';
  child.stdout?.on('data', (chunk) => (output += chunk));
  child.stderr?.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`The embedded PostgreSQL could not be created in ${dataDir}: ${output.trim().split('\n').at(-1)}`);
  await rename(cluster, folder);
  await rm(part, { recursive: true, force: true });
}

async function stopLeftOver(folder: string): Promise<void> {
  const running = await readPostmasterPid(folder);
  if (!running) return;
  process.kill(running.pid, 'SIGINT');
  const deadline = Date.now() + STOP_TIMEOUT_MS;
  while (isAlive(running.pid)) {
    if (Date.now() > deadline) throw new Error(`A PostgreSQL server (process ${running.pid}) still runs in ${folder}: stop it first`);
    await delay(50);
  }
}

/** Reads postmaster.pid. The file stays after a kill, and its process id may be reused, so the server must also answer. */
async function readPostmasterPid(folder: string): Promise<{ pid: number; port: number } | undefined> {
  const path = join(folder, 'postmaster.pid');
  if (!existsSync(path)) return undefined;
  const lines = (await readFile(path, 'utf8')).split('\n');
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  if (!pid || !port || !isAlive(pid) || !(await speaksPostgres(port))) return undefined;
  return { pid, port };
}

async function speaksPostgres(port: number): Promise<boolean> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: 'nobody',
    password: 'none',
    database: 'none',
    connectionTimeoutMillis: 2_000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.end();
    return true;
  } catch (error) {
    return error instanceof pg.DatabaseError;
  }
}

/** Waits until the server accepts connections, also during a long crash recovery. @returns false if the server process ends. */
async function waitUntilReady(url: string, hasExited: () => boolean): Promise<boolean> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!hasExited()) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.end();
      return true;
    } catch (error) {
      const starting = error instanceof pg.DatabaseError && error.code === '57P03';
      const refused = error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
      if (!starting && !(refused && Date.now() < deadline)) throw error;
      await delay(40);
    }
  }
  return false;
}

async function createRoleAndDatabase(superuserUrl: string, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (rows.length > 0) return;
    await client.query(`DROP ROLE IF EXISTS ${ROLE}`);
    await client.query(`CREATE ROLE ${ROLE} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD ${client.escapeLiteral(password)}`);
    await client.query(`CREATE DATABASE ${DATABASE} OWNER ${ROLE}`);
  } finally {
    await client.end();
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}
