import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { UserError } from '@/lib/cli/terminal/output';

/** The characters of a tool's error output that are kept. */
const ERROR_MAX = 4_000;

/**
 * Finds one of PostgreSQL's own programs.
 * @param folder the setting POSTGRES_TOOLS. Without it, the program is searched for in PATH.
 * @param least the oldest major version that can be used, with the reason.
 * @returns its path. Throws a UserError if it is missing or too old.
 */
export async function findTool(
  name: 'pg_dump' | 'pg_restore',
  { folder, least, because }: { readonly folder: string | undefined; readonly least: number; readonly because: string },
): Promise<string> {
  const path = folder === undefined ? name : join(folder, name);
  const version = await promisify(execFile)(path, ['--version']).catch(() => undefined);
  const major = Number(/(\d+)/.exec(version?.stdout ?? '')?.[1]);
  const needed = `PostgreSQL ${least} or later (Debian: postgresql-client-${least}), and set POSTGRES_TOOLS to the folder of its programs if they are not in PATH`;
  if (!major) throw new UserError(`${path} cannot be run. Install the client programs of ${needed}.`);
  if (major < least) throw new UserError(`${path} is version ${major}, but ${because}. Install the client programs of ${needed}.`);
  return path;
}

/** Starts a tool that reads or writes a database. Its password is not in the arguments, which other users of the machine can see. */
function start(tool: string, args: readonly string[], url?: string): { readonly child: ChildProcess; readonly ended: Promise<void> } {
  const address = url === undefined ? undefined : new URL(url);
  const password = address && decodeURIComponent(address.password);
  if (address) address.password = '';
  const child = spawn(tool, [...args, ...(address ? [`--dbname=${address.href}`] : [])], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...(password ? { PGPASSWORD: password } : {}) },
  });
  let errors = '';
  child.stderr?.on('data', (text: Buffer) => {
    errors = (errors + text.toString()).slice(0, ERROR_MAX);
  });
  // A tool that fails closes its input. Its message says why, not the broken pipe.
  child.stdin?.on('error', () => undefined);
  const ended = once(child, 'close')
    .catch((error: Error) => [error.message])
    .then(([code]: unknown[]) => {
      if (code !== 0) throw new UserError(`${tool} failed: ${errors.trim() || String(code)}`);
    });
  ended.catch(() => undefined);
  return { child, ended };
}

/** Runs `pg_dump` with an exported snapshot. The stream of its output fails if the program does. */
export function dumpDatabase(tool: string, { url, snapshot }: { readonly url: string; readonly snapshot: string }): Readable {
  const { child, ended } = start(tool, ['--format=custom', '--no-owner', '--no-acl', `--snapshot=${snapshot}`], url);
  child.stdin?.end();
  async function* output() {
    try {
      if (child.stdout) yield* child.stdout;
      await ended;
    } finally {
      child.kill();
    }
  }
  return Readable.from(output(), { objectMode: false });
}

/** Restores a dump in one transaction: if it fails, the database is as empty as before. */
export async function restoreDump(tool: string, { url, dump }: { readonly url: string; readonly dump: Readable }): Promise<void> {
  await feed(start(tool, ['--exit-on-error', '--single-transaction', '--no-owner', '--no-acl'], url), dump);
}

/**
 * Unpacks a tar archive into a folder. With `-i`, tar reads to the end of its input. Otherwise it exits at the end of the archive, perhaps
 * before the last bytes have arrived, and the pipe to it breaks.
 */
export async function unpack(archive: Readable, folder: string): Promise<void> {
  await feed(start('tar', ['-x', '-i', '--no-same-owner', '-f', '-', '-C', folder]), archive);
}

async function feed({ child, ended }: ReturnType<typeof start>, input: Readable): Promise<void> {
  child.stdout?.resume();
  try {
    if (child.stdin) await pipeline(input, child.stdin);
  } catch (error) {
    const toolEnded = error instanceof Error && 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_PREMATURE_CLOSE');
    // The reason why the tool ended says more than the broken pipe.
    if (toolEnded) await ended;
    child.kill('SIGKILL');
    throw error;
  }
  await ended;
}
