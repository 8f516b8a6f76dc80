import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { z } from 'zod';
// prisma.config.ts loads this file and what it imports, without the short paths of the repository.
import { upgradeFolder } from '../config/data-dir';
import { type Binaries, findBinaries, isAlive, ownAsPostgres, readMajorVersion, spawnPostgres } from './postgres-binaries';

const DATABASE = 'bili';
/** The role of web, worker and commands. */
const ROLE = 'bili';
/** The role that owns the tables. Only migrations use it. */
const OWNER = 'bili_owner';
const START_TIMEOUT_MS = 60_000;
const RETRY_START_MS = 15_000;
const STOP_TIMEOUT_MS = 20_000;
const CLIENT = { connectionTimeoutMillis: 2_000 };

/** The variables of libpq that node-postgres reads, each for what the URL of the database does not say. */
const LIBPQ_VARIABLES = [
  'PGHOST',
  'PGPORT',
  'PGDATABASE',
  'PGUSER',
  'PGPASSWORD',
  'PGPASSFILE',
  'PGOPTIONS',
  'PGSSLMODE',
  'PGSSLNEGOTIATION',
  'PGCLIENT_ENCODING',
  'PGREPLICATION',
  'PGBINARY',
  'PGAPPNAME',
  'PGCONNECT_TIMEOUT',
];

/** Returns the names of the variables in the environment of this process that change database connections. */
export function findLibpqVariables(): string[] {
  return LIBPQ_VARIABLES.filter((name) => process.env[name]);
}

interface Passwords {
  readonly databasePassword: string;
  /** The password of the superuser and of the role that owns the tables. */
  readonly superuserPassword: string;
}

interface EmbeddedOptions extends Passwords {
  readonly dataDir: string;
  /** `name=value` server settings, for tests. */
  readonly settings?: readonly string[];
  /** If true, the server confirms changes before they are on disk. That is faster, but a crash of the machine can destroy the database. */
  readonly temporary?: boolean;
  /** A free port if absent. */
  readonly port?: number;
  /** Programs of another major version, to read a folder of that version. The installed ones if absent. */
  readonly binaries?: Binaries;
}

export interface EmbeddedUrls {
  /** For web, worker and commands. Its role can change rows, but not tables. */
  readonly url: string;
  /** For migrations. Its role owns the tables. */
  readonly ownerUrl: string;
  readonly superuserUrl: string;
}

export interface EmbeddedPostgres extends EmbeddedUrls {
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
  ignoreLibpqVariables();
  const folder = join(options.dataDir, 'postgres');
  const upgraded = join(upgradeFolder(options.dataDir), 'postgres');
  // An upgrade was killed after it had moved the old folder away, and before it had moved the new one here.
  if (!existsSync(folder) && existsSync(upgraded)) await rename(upgraded, folder);
  const binaries = options.binaries ?? (await findBinaries());
  if (existsSync(join(folder, 'PG_VERSION'))) await checkMajorVersion(folder, binaries.postgres);
  else await initialise(binaries.initdb, folder, options);
  await stopLeftOver(folder, options);
  await ownAsPostgres(folder);

  const port = options.port ?? (await freePort());
  const superuserUrl = urlOf('postgres', options.superuserPassword, port, 'postgres');
  const { child, exited } = await startServer(binaries.postgres, { folder, port, superuserUrl, options });
  try {
    await createRolesAndDatabase(superuserUrl, options);
  } catch (error) {
    child.kill('SIGQUIT');
    await exited;
    throw error;
  }
  child.unref();

  return {
    ...databaseUrls(options, port, OWNER),
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

/**
 * Removes the variables of libpq, such as PGSSLMODE and PGOPTIONS, from the environment of this process and of its child processes. People
 * set them for other databases, and the driver would apply them to the embedded one.
 */
function ignoreLibpqVariables(): void {
  for (const name of findLibpqVariables()) delete process.env[name];
}

function urlOf(role: string, password: string, port: number, database = DATABASE): string {
  return `postgresql://${role}:${password}@127.0.0.1:${port}/${database}`;
}

/** @param owner the role that owns the database. An older version of Bili, which still runs, has the same role for everything. */
function databaseUrls({ databasePassword, superuserPassword }: Passwords, port: number, owner: string): EmbeddedUrls {
  const url = urlOf(ROLE, databasePassword, port);
  const superuserUrl = urlOf('postgres', superuserPassword, port, 'postgres');
  return { url, ownerUrl: owner === OWNER ? urlOf(OWNER, superuserPassword, port) : url, superuserUrl };
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

/** Returns the URLs of the server that runs in a data folder, or undefined if none runs or it is being started or stopped. */
export async function findRunningEmbedded(dataDir: string, passwords: Passwords): Promise<EmbeddedUrls | undefined> {
  ignoreLibpqVariables();
  const found = await findServer(join(dataDir, 'postgres'), passwords);
  return typeof found === 'object' && found.owner !== null ? databaseUrls(passwords, found.port, found.owner) : undefined;
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
  if (code !== 0) throw new Error(`The embedded PostgreSQL could not be created in ${dataDir}: ${findReason(output)}`);
  await rename(cluster, folder);
  await rm(part, { recursive: true, force: true });
}

/** Returns the part of a PostgreSQL program's output that says why it failed. The lines after it say what the program did then. */
function findReason(output: string): string {
  return /\b(?:error|FATAL|PANIC): .*/.exec(output)?.[0] ?? output.trim().split('\n').at(-1) ?? '';
}

/** Returns the major version of PostgreSQL that created a data folder. */
export async function readStoredVersion(folder: string): Promise<string> {
  return (await readFile(join(folder, 'PG_VERSION'), 'utf8')).trim();
}

async function checkMajorVersion(folder: string, program: string): Promise<void> {
  const [stored, ours] = [await readStoredVersion(folder), await readMajorVersion(program)];
  if (stored === ours) return;
  throw new Error(
    `The database in ${folder} was created by PostgreSQL ${stored}, but this version of Bili contains PostgreSQL ${ours}, which cannot ` +
      'open it. "npm run -s bili -- database upgrade" moves the data into a new folder. The version of Bili that you used before can still open the old one.',
  );
}

async function stopLeftOver(folder: string, passwords: Passwords): Promise<void> {
  const found = await findServer(folder, passwords);
  if (found === 'stale') return disownLockFile(folder);
  if (found === undefined || found === 'silent') return;
  process.kill(found.pid, 'SIGINT');
  const deadline = Date.now() + STOP_TIMEOUT_MS;
  while (isAlive(found.pid)) {
    if (Date.now() > deadline) throw new Error(`A PostgreSQL server (process ${found.pid}) still runs in ${folder}: stop it first`);
    await delay(50);
  }
}

interface LockFile {
  readonly pid: number;
  /** The data folder of the server that wrote the file. A copy of the folder has a copy of this file. */
  readonly folder: string;
  readonly port: number;
  /** The lines that a running server does not change. */
  readonly head: string;
}

interface FoundServer {
  readonly pid: number;
  readonly port: number;
  /** The role that owns the application's database; null if the server does not answer queries at the moment. */
  readonly owner: string | null;
}

const lockPath = (folder: string) => join(folder, 'postmaster.pid');
const headOf = (text: string) => text.split('\n').slice(0, 4).join('\n');

async function readLockFile(folder: string): Promise<LockFile | undefined> {
  if (!existsSync(lockPath(folder))) return undefined;
  const text = await readFile(lockPath(folder), 'utf8');
  const [pid, named = '', , port] = text.split('\n');
  return Number(pid) && Number(port) ? { pid: Number(pid), folder: named, port: Number(port), head: headOf(text) } : undefined;
}

/**
 * Finds the server that runs in a folder by its lock file. The file remains after a kill, when its process id may belong to another process
 * and its port to another server. A copied folder has the file of the original.
 * @returns undefined if no process has the id, `stale` if it is another process, `silent` if the process does not answer
 */
async function findServer(folder: string, { superuserPassword }: Passwords): Promise<FoundServer | 'stale' | 'silent' | undefined> {
  const lock = await readLockFile(folder);
  if (!lock || !isAlive(lock.pid)) return undefined;
  const here = await runsIn(lock, folder);
  if (here === 'no') return 'stale';
  const client = new pg.Client({ ...CLIENT, connectionString: urlOf('postgres', superuserPassword, lock.port, 'postgres') });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query(
      `SELECT pg_read_file('postmaster.pid') AS "lockFile", (SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = $1) AS owner`,
      [DATABASE],
    );
    const [answer] = answerSchema.parse(rows);
    return headOf(answer.lockFile) === lock.head ? { pid: lock.pid, port: lock.port, owner: answer.owner } : 'stale';
  } catch (error) {
    // Class 28: the password is wrong, so this server has another data folder. With any other error, the server starts, stops or is full.
    if (error instanceof pg.DatabaseError) return error.code?.startsWith('28') ? 'stale' : { pid: lock.pid, port: lock.port, owner: null };
    const refused = error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
    return refused && here === 'perhaps' ? 'stale' : 'silent';
  } finally {
    await client.end().catch(() => undefined);
  }
}

const answerSchema = z.tuple([z.object({ lockFile: z.string(), owner: z.string().nullable() })]);

/** Returns whether the process of a lock file runs in a folder. A server's working folder is its data folder, wherever it was moved. */
async function runsIn(lock: LockFile, folder: string): Promise<'yes' | 'perhaps' | 'no'> {
  const own = await folderIdentity(folder);
  // Only Linux has /proc, and a process may not read the entries of other users.
  const working = await folderIdentity(`/proc/${lock.pid}/cwd`).catch(() => undefined);
  if (working !== undefined) return working === own ? 'yes' : 'no';
  const named = await folderIdentity(lock.folder).catch(() => undefined);
  return named === own ? 'perhaps' : 'no';
}

/** Returns what identifies a folder on this machine: the same for all its paths, and different for each copy. */
export async function folderIdentity(path: string): Promise<string> {
  const { dev, ino } = await stat(path, { bigint: true });
  return `${dev}:${ino}`;
}

/**
 * Replaces the process id in a stale lock file. PostgreSQL refuses to start while a process with the id in the file runs, unless it is the
 * parent process. The file is not deleted, because PostgreSQL finds by its other lines whether processes of an old server still use the
 * folder.
 */
async function disownLockFile(folder: string): Promise<void> {
  const path = lockPath(folder);
  const [, ...lines] = (await readFile(path, 'utf8')).split('\n');
  await writeFile(`${path}.part`, [process.pid, ...lines].join('\n'), { mode: 0o600 });
  await rename(`${path}.part`, path);
}

/** Waits until the server accepts connections, also during a long crash recovery. @returns false if the server process ends. */
async function waitUntilReady(url: string, hasExited: () => boolean): Promise<boolean> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!hasExited()) {
    const client = new pg.Client({ ...CLIENT, connectionString: url });
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

/** Creates the roles and the database. In a folder of an older version, whose only role owned everything, gives the tables to the owner. */
async function createRolesAndDatabase(superuserUrl: string, { databasePassword, superuserPassword }: Passwords): Promise<void> {
  const owner = await asSuperuser(superuserUrl, async (client) => {
    const { rows } = await client.query('SELECT pg_get_userbyid(datdba) AS owner FROM pg_database WHERE datname = $1', [DATABASE]);
    const [found] = z.array(z.object({ owner: z.string() })).parse(rows);
    if (found?.owner === OWNER) return OWNER;
    if (!found) await client.query(`DROP ROLE IF EXISTS ${ROLE}`);
    if (!found) await client.query(createRole(client, ROLE, databasePassword));
    await client.query(`DROP ROLE IF EXISTS ${OWNER}`);
    await client.query(createRole(client, OWNER, superuserPassword));
    if (!found) await client.query(`CREATE DATABASE ${DATABASE} OWNER ${OWNER}`);
    return found?.owner ?? OWNER;
  });
  if (owner === OWNER) return;
  const inDatabase = new URL(superuserUrl);
  inDatabase.pathname = `/${DATABASE}`;
  // One statement, so that a killed start changes nothing. `migrate`, which follows each start, grants the application's role what it needs.
  await asSuperuser(inDatabase.href, (client) => client.query(`REASSIGN OWNED BY ${ROLE} TO ${OWNER}`));
}

function createRole(client: pg.Client, name: string, password: string): string {
  return `CREATE ROLE ${name} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD ${client.escapeLiteral(password)}`;
}

async function asSuperuser<Value>(url: string, work: (client: pg.Client) => Promise<Value>): Promise<Value> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
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
