import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll } from 'vitest';
import { createListener } from '@/lib/server/listener';
import { forWeb } from '@/lib/server/web-runtime';
import type { TestRuntime } from './runtime';

/**
 * Opens the product's own listener in the test's process, for the sandbox, on the clock that the test moves. Next.js's pages are
 * not there. @returns a function that gives its origin.
 */
export function testListener(runtime: () => TestRuntime): () => string {
  let server: Server;
  let origin = '';
  beforeAll(async () => {
    const web = { ...forWeb(runtime()), environmentOf: () => 'sandbox' as const };
    globalThis.biliWebRuntime = web;
    server = createServer(
      createListener(web, async (_, response) => {
        response.writeHead(404).end();
      }),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
    globalThis.biliWebRuntime = undefined;
  });
  return () => origin;
}
