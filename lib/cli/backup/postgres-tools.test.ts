import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { unpack } from './postgres-tools';

test('an archive is unpacked although its stream goes on after the last file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bili-unpack-'));
  try {
    const archive = await buffer(spawn('tar', ['-c', '-C', import.meta.dirname, 'format.ts']).stdout);
    // More than the buffers between two processes take: tar must still read.
    const padding = Array.from({ length: 100 }, () => Buffer.alloc(64 * 1024));
    await unpack(Readable.from([archive, ...padding], { objectMode: false }), folder);
    expect(await readdir(folder)).toEqual(['format.ts']);
    await expect(unpack(Readable.from([archive.subarray(0, 700)], { objectMode: false }), folder)).rejects.toThrow(/tar failed/);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
