import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';

const BODY_MAX_BYTES = 16 * 1024;

/** Starts the HTTP server of a simulated provider on the loopback interface. @param port 0 chooses a free port. */
export async function startLoopbackServer(port: number, listener: RequestListener) {
  const server = createServer(listener);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the simulated provider has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    async stop(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Reads the body of a request. Throws if it is larger than any message of a simulated provider. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > BODY_MAX_BYTES) throw new Error('request body too large for the simulated provider');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
