import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { callerPath } from './caller-path';
import { UserError } from './output';

/** For its owner alone to read: what is exported has customers' numbers. A file that is there stays as it is. */
export async function writeNewFile(path: string, parts: AsyncIterable<string> | Iterable<string>): Promise<void> {
  await pipeline(Readable.from(parts), createWriteStream(callerPath(path), { flags: 'wx', mode: 0o600 })).catch((error: unknown) => {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new UserError(`The file ${path} cannot be written: ${error.message}.`);
  });
}
