import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll } from 'vitest';
import type { Environment } from '@/lib/config/runtime';
import { createListener } from '@/lib/server/listener';
import { forWeb } from '@/lib/server/web-runtime';
import type { TestRuntime } from './runtime';

/**
 * Opens the product's own listener in the test's process, for one environment, on the clock that the test moves. Next.js's pages are
 * not there. @returns a function that gives its origin.
 */
export function testListener(runtime: () => TestRuntime, environment: Environment = 'sandbox'): () => string {
  let server: Server;
  let origin = '';
  beforeAll(async () => {
    const web = { ...forWeb(runtime()), environmentOf: () => environment };
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
    globalThis.biliWebRuntime?.limits.stop();
    server.close();
    server.closeAllConnections();
    globalThis.biliWebRuntime = undefined;
  });
  return () => origin;
}
