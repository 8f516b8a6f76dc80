import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * The lowest port to try. All ports up to LAST are below those that Linux (32768 and higher) and macOS (49152 and higher) give to outgoing
 * connections. An outgoing connection could take such a port before the test listens on it.
 */
const FIRST = 10_000;
const LAST = 32_000;
/** A port is free in nearly every case, so this many taken ports in a row mean that something else is wrong. */
const TRIES = 100;

/**
 * Returns ports that are probably free: nobody listened on them a moment ago, and the system does not give them to outgoing connections.
 */
export async function freePorts<const Count extends number>(count: Count): Promise<number[] & { length: Count }> {
  const ports = new Set<number>();
  for (let tries = 0; ports.size < count; tries += 1) {
    if (tries > TRIES + count) throw new Error(`no free port was found from ${FIRST} to ${LAST}`);
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    if (await isFree(port)) ports.add(port);
  }
  return Object.assign([...ports], { length: count });
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port), 'listening');
  } catch {
    return false;
  }
  await once(server.close(), 'close');
  return true;
}
