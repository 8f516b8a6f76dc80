import { createWriteStream } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { UserError } from './output';

/** Resolves a path relative to the caller's folder, not to the folder where Bili is installed. */
export function callerPath(path: string): string {
  return resolve(process.env.BILI_CALLER_FOLDER ?? '', path);
}

const MEGABYTE = 1024 * 1024;

/** Reads the first `most` bytes of a file. Throws a UserError if it cannot be read. */
export async function readInput(path: string, most = MEGABYTE): Promise<Buffer> {
  const file = await open(callerPath(path)).catch((error: unknown) => unreadable(path, error));
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(most));
    return buffer.subarray(0, bytesRead);
  } catch (error) {
    return unreadable(path, error);
  } finally {
    await file.close();
  }
}

/**
 * Reads a whole file of any size, or standard input ("-"). Use it only for files that the operator trusts. Throws a UserError if the file
 * cannot be read.
 */
export async function readWholeInput(path: string): Promise<Buffer> {
  if (path === '-') return readToEnd();
  return readFile(callerPath(path)).catch((error: unknown) => unreadable(path, error));
}

function unreadable(path: string, error: unknown): never {
  throw new UserError(`The file ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
}

/** Reads a secret from a file, from standard input ("-"), or from the terminal without echo. Removes the line break at its end. */
export async function readSecretInput(path: string, question: string): Promise<string> {
  const text = path === '-' ? await readStandardInput(question) : (await readInput(path)).toString();
  return text.replace(/\r?\n$/, '');
}

async function readToEnd(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

async function readStandardInput(question: string): Promise<string> {
  if (!process.stdin.isTTY) return (await readToEnd()).toString();
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  const ended = new AbortController();
  terminal.once('SIGINT', () => terminal.close()).once('close', () => ended.abort());
  process.stderr.write(question);
  try {
    return await terminal.question('', { signal: ended.signal });
  } catch {
    throw new UserError('No secret was given.');
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}

/** Asks a question that is answered with yes or no. Returns false if nobody is at the terminal. */
export async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}

/** Writes a file that only its owner can read, because exports contain customers' numbers. Never overwrites a file. */
export async function writeNewFile(path: string, parts: AsyncIterable<string> | Iterable<string>): Promise<void> {
  await pipeline(Readable.from(parts), createWriteStream(callerPath(path), { flags: 'wx', mode: 0o600 })).catch((error: unknown) => {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new UserError(`The file ${path} cannot be written: ${error.message}.`);
  });
}

/** Makes the names in a folder survive a power failure. Windows cannot open folders, and needs it less. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
