import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';

export interface Received {
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly path: string;
}

export type Answer = (request: Received, response: ServerResponse) => void;

/** A merchant's server, on real HTTP. */
export interface Receiver {
  url(path?: string): string;
  readonly received: Received[];
  /** Sets how the next requests are answered. By default, the answer is 200. */
  answer(how: Answer): void;
}

export const ok: Answer = (_request, response) => {
  response.end('thanks');
};

/** Returns a handler that gives every request the same answer. @param body an HTML page; empty for none. */
export function answering(status: number, body = ''): Answer {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'text/html' }).end(body);
  };
}

/** Starts a receiver on its own port. The caller stops it. */
export async function startReceiver(): Promise<Receiver & { stop(): Promise<void> }> {
  let reply = ok;
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const one = { headers: plain(request.headers), body, path: request.url ?? '' };
    received.push(one);
    reply(one, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port');
  return {
    url: (path = '/hook') => `http://127.0.0.1:${address.port}${path}`,
    received,
    answer(how) {
      reply = how;
    },
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function plain(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
