import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { afterAll, beforeAll } from 'vitest';
import { findRoute } from '@/app/direct-routes';
import { createListener } from '@/lib/entry/http/listener';
import { forWeb } from '@/lib/entry/server/web-runtime';
import type { Environment } from '@/lib/platform/core/scope';
import type { TestRuntime } from '../runtime';

type Next = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Starts the product's own listener in the test process, for one environment, with the test's clock. Returns a function that gives the
 * origin of the listener. @param next answers instead of Next.js.
 */
export function testListener(
  runtime: () => TestRuntime,
  environment: Environment = 'sandbox',
  next: Next = (_, response) => response.writeHead(404).end(),
): () => string {
  let server: Server;
  let origin = '';
  beforeAll(async () => {
    const web = { ...forWeb(runtime()), environmentOf: () => environment };
    globalThis.biliWebRuntime = web;
    server = createServer(createListener(web, findRoute, async (request, response) => next(request, response)));
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
