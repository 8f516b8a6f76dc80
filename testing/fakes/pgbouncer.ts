import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { ownAsPostgres, spawnPostgres } from '@/lib/platform/db/postgres-binaries';
import { freePorts } from '../free-ports';
import { installDebianPackage } from '../install-program';

const KNOWN = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer'];

export interface PgBouncer {
  /** The URL of the database through the pooler. */
  readonly url: string;
  /** Runs a command of PgBouncer's console, for example RECONNECT. */
  admin(command: string): Promise<Record<string, unknown>[]>;
  stop(): Promise<void>;
}

interface PgBouncerOptions {
  readonly databaseUrl: string;
  readonly poolMode: 'transaction' | 'session';
  /** Additional configuration lines, for example `default_pool_size=4`. */
  readonly settings?: readonly string[];
}

/** Starts PgBouncer on a free loopback port for one database. It accepts any user and password. */
export async function startPgBouncer({ databaseUrl, poolMode, settings = [] }: PgBouncerOptions): Promise<PgBouncer> {
  const program = findPgBouncer();
  const server = new URL(databaseUrl);
  const [port = 0] = await freePorts(1);
  const database = server.pathname.slice(1);
  const folder = await mkdtemp(join(tmpdir(), 'bili-pgbouncer-'));
  const path = join(folder, 'pgbouncer.ini');
  const lines = [
    '[databases]',
    `${database} = host=${server.hostname} port=${server.port} dbname=${database} user=${server.username} password=${server.password}`,
    '[pgbouncer]',
    'listen_addr=127.0.0.1',
    `listen_port=${port}`,
    'unix_socket_dir=',
    'auth_type=any',
    'admin_users=console',
    `pool_mode=${poolMode}`,
    'max_client_conn=500',
    ...settings,
  ];
  await writeFile(path, `${lines.join('\n')}\n`, { mode: 0o600 });
  await ownAsPostgres(folder);
  const child = spawnPostgres(program, { args: [path], stdio: 'pipe' });
  let output = '';
  const up = Promise.withResolvers<void>();
  const collect = (chunk: Buffer) => {
    output += chunk;
    if (output.includes('process up')) up.resolve();
  };
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  const exited = once(child, 'exit');
  const failed = exited.then(([code]) => Promise.reject(new Error(`PgBouncer ended with ${code}:\n${output}`)));
  failed.catch(() => undefined);
  await Promise.race([up.promise, failed]);

  server.host = `127.0.0.1:${port}`;
  return {
    url: server.href,
    async admin(command) {
      const client = new pg.Client({ host: '127.0.0.1', port, user: 'console', database: 'pgbouncer' });
      await client.connect();
      try {
        const { rows } = await client.query(command);
        return rows;
      } finally {
        await client.end();
      }
    },
    async stop() {
      child.kill('SIGTERM');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Returns the path of PgBouncer. Installs the Debian package if it is missing, and throws if that fails. */
function findPgBouncer(): string {
  const path =
    [process.env.PGBOUNCER_PATH, ...KNOWN].find((known) => known && existsSync(known)) ?? installDebianPackage('pgbouncer', KNOWN);
  if (!path) throw new Error('There is no PgBouncer and none could be installed: install one, or set PGBOUNCER_PATH.');
  return path;
}
