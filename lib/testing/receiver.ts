import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { afterAll, beforeAll } from 'vitest';

export interface Received {
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly path: string;
}

/** A merchant's server, over real HTTP. */
export interface Receiver {
  url(path?: string): string;
  readonly received: Received[];
  /** What it answers to the next requests; 200 unless told. */
  answer(how: (request: Received, response: ServerResponse) => void): void;
}

/** Starts a receiver for one test file. */
export function testReceiver(): Receiver {
  let origin = '';
  let reply: (request: Received, response: ServerResponse) => void = ok;
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const one = { headers: plain(request.headers), body, path: request.url ?? '' };
    received.push(one);
    reply(one, response);
  });
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return {
    url: (path = '/hook') => origin + path,
    received,
    answer(how) {
      reply = how;
    },
  };
}

export function ok(_request: Received, response: ServerResponse): void {
  response.end('thanks');
}

function plain(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
