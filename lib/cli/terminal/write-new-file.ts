import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { callerPath } from './caller-path';
import { UserError } from './output';

/** Writes a file that only its owner can read, because exports contain customers' numbers. Never overwrites a file. */
export async function writeNewFile(path: string, parts: AsyncIterable<string> | Iterable<string>): Promise<void> {
  await pipeline(Readable.from(parts), createWriteStream(callerPath(path), { flags: 'wx', mode: 0o600 })).catch((error: unknown) => {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new UserError(`The file ${path} cannot be written: ${error.message}.`);
  });
}
