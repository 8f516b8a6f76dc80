import { open, readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { callerPath } from './caller-path';
import { UserError } from './output';

const MEGABYTE = 1024 * 1024;

/** Reads a file, at most a megabyte of it or as many bytes as are asked for. Throws a UserError with a sentence when it cannot be read. */
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

/** Reads a whole file of the operator's own, however large. Throws a UserError with a sentence when it cannot be read. */
export async function readWholeInput(path: string): Promise<Buffer> {
  return readFile(callerPath(path)).catch((error: unknown) => unreadable(path, error));
}

function unreadable(path: string, error: unknown): never {
  throw new UserError(`The file ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
}

/**
 * Reads a secret from a file, or from standard input when the path is "-"; a terminal is asked, and does not show it.
 * @returns it without the line end that editors put after the last line.
 */
export async function readSecretInput(path: string, question: string): Promise<string> {
  const text = path === '-' ? await readStandardInput(question) : (await readInput(path)).toString();
  return text.replace(/\r?\n$/, '');
}

async function readStandardInput(question: string): Promise<string> {
  if (!process.stdin.isTTY) {
    const chunks: Buffer[] = [];
    for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks).toString();
  }
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
