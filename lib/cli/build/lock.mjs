import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { dirname } from 'node:path';

/**
 * Runs `work` while no other process has the lock. The lock file names a loopback port on which the process with the lock answers. If that
 * process was killed, its port does not answer, and another process takes over the lock.
 * @param {string} path
 * @param {() => Promise<void>} work
 * @param {() => void} onWait called once if another process has the lock
 */
export async function withLock(path, work, onWait) {
  mkdirSync(dirname(path), { recursive: true });
  const nonce = randomUUID();
  const sockets = new Set();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.write(`${nonce}\n`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const mine = `${path}.${nonce}`;
  writeFileSync(mine, JSON.stringify({ port: server.address().port, nonce }));
  try {
    let waits = false;
    while (!tryLink(mine, path)) {
      const holder = read(path);
      const lives = await waitForEnd(holder, () => {
        if (!waits) onWait();
        waits = true;
      });
      if (!lives) removeStale(path, holder?.nonce);
    }
    rmSync(mine);
    await work();
  } finally {
    rmSync(mine, { force: true });
    if (read(path)?.nonce === nonce) rmSync(path, { force: true });
    server.close();
    // Closes the connections of waiting processes, so that they continue at once.
    for (const socket of sockets) socket.destroy();
  }
}

/** Returns false if `to` exists. Creating a hard link is atomic, and never replaces an existing file. */
function tryLink(from, to) {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Waits until the process with the lock releases the lock or ends.
 * @returns {Promise<boolean>} false if that process was not alive
 */
async function waitForEnd(holder, onWait) {
  if (!holder) return false;
  const socket = connect({ port: holder.port, host: '127.0.0.1' });
  let text = '';
  try {
    for await (const chunk of socket) {
      text += chunk;
      if (text !== `${holder.nonce}\n`) break;
      onWait();
    }
  } catch {
    // The connection was refused, or the process with the lock was killed.
  }
  socket.destroy();
  return text === `${holder.nonce}\n`;
}

/**
 * Removes the lock file of a dead process. It moves the file away first, and then checks whose file it has moved. If another process has
 * taken over the lock meanwhile, the moved file is the one of that process, so it is moved back.
 */
function removeStale(path, nonce) {
  const aside = `${path}.${randomUUID()}.stale`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  if (read(aside)?.nonce !== nonce) tryLink(aside, path);
  rmSync(aside, { force: true });
}

function read(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
