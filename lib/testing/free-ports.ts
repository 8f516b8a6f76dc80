import { once } from 'node:events';
import { createServer } from 'node:net';

/** Returns ports that are probably free: nobody listened on them a moment ago. */
export async function freePorts<const Count extends number>(count: Count): Promise<number[] & { length: Count }> {
  const servers = Array.from({ length: count }, () => createServer().listen(0));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => {
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  });
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return Object.assign(ports, { length: count });
}
