import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { parseJson } from '@/lib/providers/port/raw-answer';

/** An answer. A body of type string is sent as it is. `cut` closes the connection without an answer, `never` leaves it open. */
export type Reply =
  | {
      readonly status: number;
      readonly body: object | string;
      readonly headers?: Readonly<Record<string, string>>;
      /** Why the request is refused, for the developer of the client. It is not sent: `GET /control` shows it. */
      readonly why?: string;
    }
  | 'cut'
  | 'never';

export interface SimulatedRequest {
  readonly method: string;
  readonly path: string;
  /** The parameters of the route's path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingMessage['headers'];
  /** The body as it was sent. */
  readonly text: string;
  /** The body as JSON; undefined if it is not JSON. */
  readonly body: unknown;
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH';
  /** A path such as `/v1/payments/:reference`. */
  readonly path: string;
  readonly answer: (request: SimulatedRequest) => Reply | Promise<Reply>;
}

interface Hooks {
  /** Returns the answer to a request that no route may answer, and null for all other requests. */
  readonly before?: (request: SimulatedRequest) => Reply | null;
  /** The answer to a request that has no route; `NOT_FOUND` by default. */
  readonly unknownAddress?: Reply;
  /** Called with each answer before it is sent. */
  readonly answered?: (request: SimulatedRequest, reply: Reply) => void;
}

export const NOT_FOUND = { status: 404, body: '<html><h1>404 Not Found</h1></html>' } as const;

/** Starts the HTTP server of a simulated provider. */
export function startRoutes(port: number, routes: readonly Route[], hooks: Hooks = {}) {
  return startLoopbackServer(port, (request, response) => {
    answer(routes, hooks, request).then(
      (reply) => send(response, reply),
      () => response.destroy(),
    );
  });
}

async function answer(routes: readonly Route[], hooks: Hooks, incoming: IncomingMessage): Promise<Reply> {
  const { pathname: path, searchParams } = new URL(incoming.url ?? '/', 'http://simulator');
  const bytes = await readBody(incoming);
  const { method = 'GET', headers } = incoming;
  const sent = { method, path, query: Object.fromEntries(searchParams), headers, text: bytes.toString('utf8'), body: parseJson(bytes) };
  const request = { ...sent, params: {} };
  const reply = hooks.before?.(request) ?? (await answerRoute(routes, request)) ?? hooks.unknownAddress ?? NOT_FOUND;
  hooks.answered?.(request, reply);
  return reply;
}

async function answerRoute(routes: readonly Route[], request: SimulatedRequest): Promise<Reply | null> {
  for (const route of routes) {
    const params = route.method === request.method ? paramsOf(route.path, request.path) : null;
    if (params) return route.answer({ ...request, params });
  }
  return null;
}

function paramsOf(template: string, path: string): Record<string, string> | null {
  const parts = template.split('/');
  const segments = path.split('/');
  if (parts.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    const segment = segments[index] ?? '';
    if (part.startsWith(':')) params[part.slice(1)] = decodeURIComponent(segment);
    else if (part !== segment) return null;
  }
  return params;
}

function send(response: ServerResponse, reply: Reply): void {
  if (reply === 'never') return;
  if (reply === 'cut') return void response.destroy();
  const { status, body, headers } = reply;
  const isText = typeof body === 'string';
  response
    .writeHead(status, { 'content-type': isText ? 'text/html' : 'application/json', ...headers })
    .end(isText ? body : JSON.stringify(body));
}

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
