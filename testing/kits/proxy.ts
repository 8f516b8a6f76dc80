import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Fault } from './case';

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly idempotencyKey: string | null;
  /** The answer of the server, if the request was passed on. */
  answered: unknown;
}

export interface Proxy {
  readonly url: string;
  readonly seen: readonly Seen[];
  stop(): Promise<void>;
}

/** Starts a proxy in front of a server. The first fault applies to the first request, the second fault to the second request, and so on. */
export async function startProxy(target: string, faults: readonly Fault[]): Promise<Proxy> {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const entry: Seen = { method, path: url, idempotencyKey: headers['idempotency-key']?.toString() ?? null, answered: null };
    const fault = faults[seen.push(entry) - 1];
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const body = Buffer.concat(parts);
    if (fault === 'break the connection') return request.socket.destroy();
    if (typeof fault === 'object') {
      return response.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers }).end(fault.body);
    }
    await passOn(target, request, body, entry, fault === 'lose the answer' ? null : response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    seen,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/**
 * Passes a request on to the server, and the answer to the client.
 * @param response null if the client must not get the answer. Then the proxy breaks the client's connection after the server has answered.
 */
async function passOn(target: string, request: IncomingMessage, body: Buffer, entry: Seen, response: ServerResponse | null): Promise<void> {
  const { host: _host, 'content-length': _length, connection: _connection, 'transfer-encoding': _encoding, ...headers } = request.headers;
  const sent = new Headers();
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) sent.set(name, value.toString());
  const answer = await fetch(target + entry.path, {
    method: entry.method,
    headers: sent,
    body: body.length > 0 ? new Uint8Array(body) : null,
    redirect: 'manual',
  });
  const text = await answer.text();
  entry.answered = text.startsWith('{') ? JSON.parse(text) : text;
  if (!response) {
    request.socket.destroy();
    return;
  }
  const kept = [...answer.headers].filter(
    ([name]) => !/^(connection|content-length|content-encoding|keep-alive|transfer-encoding)$/.test(name),
  );
  response.writeHead(answer.status, Object.fromEntries(kept)).end(text);
}
