import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { readJson, writePrivateJson } from '@/lib/config/data-dir';
import { SECOND_MS } from '@/lib/core/clock';
import { StartError } from '@/lib/server/process-runtime';

/**
 * Claims a DATA_DIR for this process: a loopback port that answers with a nonce written in the folder. A killed process
 * leaves the file but not the port, so nothing stale ever blocks a start.
 */
export async function claimInstance(dataDir: string): Promise<{ release(): void }> {
  const path = join(dataDir, 'instance.json');
  const other = await readJson(path);
  if (isInstance(other) && (await answersWith(other.port, other.nonce))) {
    throw new StartError(`Bili already runs with DATA_DIR ${dataDir} (process ${other.pid}): stop it first, or set another DATA_DIR.`);
  }
  const nonce = randomUUID();
  const server = createServer((socket) => socket.on('error', () => undefined).end(nonce));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port for the instance');
  await writePrivateJson(path, { pid: process.pid, port: address.port, nonce });
  return { release: () => server.close() };
}

function isInstance(value: unknown): value is { pid: number; port: number; nonce: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'port' in value &&
    typeof value.port === 'number' &&
    'nonce' in value &&
    typeof value.nonce === 'string' &&
    'pid' in value
  );
}

async function answersWith(port: number, nonce: string): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1', timeout: 2 * SECOND_MS });
  try {
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    return text === nonce;
  } catch {
    // Nobody listens there any more.
    return false;
  } finally {
    socket.destroy();
  }
}
