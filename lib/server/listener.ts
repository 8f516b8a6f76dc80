import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { baseUrl } from '@/lib/config/settings';
import { compress } from '@/lib/http/compress';
import { failureResponse } from '@/lib/http/errors';
import { LOCAL_PORT_HEADER, OWN_HEADERS, PEER_HEADER, pathAsSent, requestId, TARGET_HEADER } from '@/lib/http/request-facts';
import type { RouteHandler } from '@/lib/http/route-module';
import { addressHeaders, logAccess, loggedPath } from './access-log';
import { aboveNextLimits, cutUserAgent } from './next-limits';
import { hasBrokenEscape, isBrokenRouterState, isOddPath } from './odd-target';
import { secureDashboard, transportSecurity } from './security-headers';
import type { WebRuntime } from './web-runtime';

const HOST_NAME = /^(?:[\w.-]*|\[[\da-f:.]+\])(?::(\d*))?$/i;
const PORT_MAX = 65_535;
/** Scripts and styles: cheap, and many for each page. */
const ASSETS = '/_next/static/';
/** next-auth's own routes. */
const SIGN_IN_API = '/api/auth/';
const OWN_NAME = new RegExp(`^${OWN_HEADERS}`, 'i');

/** @returns the handler of a path that is answered without Next.js, or undefined. */
export type FindRoute = (path: string) => RouteHandler | undefined;

/** A request's handler, and the path that it was found by. */
interface FoundRoute {
  readonly path: string;
  readonly handler: RouteHandler;
}

type NodeHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * The one listener of the web process, on both ports. The hot routes are answered directly; everything else is the
 * dashboard, which lives on the live origin and is Next.js's.
 */
export function createListener(runtime: WebRuntime, findRoute: FindRoute, next: NodeHandler, { dev = false } = {}): RequestListener {
  const routes = new WeakMap<object, FoundRoute>();
  const direct = getRequestListener(async (request, { incoming }) => {
    const found = routes.get(incoming);
    const path = pathAsSent(request);
    // The path of a request's URL has no dot segments any more: then it may be that of another route.
    const route = path === found?.path ? found.handler : findRoute(path);
    if (!route) return failureResponse({ code: 'not_found' }, requestId(request.headers));
    // Here, because Next.js drops a route's own Content-Encoding, and compresses by itself.
    return compress(request, await route(request));
  });
  const doors = runtime.settings.HTTP_DOOR;
  const hsts = transportSecurity(runtime.settings);

  return (request, response) => {
    stampHeaders(request);
    if (hsts !== null) response.setHeader('strict-transport-security', hsts);
    request.url = pathAndQuery(request.url);
    if (!nameHost(request)) return sayUnknownBaseAddress(response);
    logAccess(runtime, request, response);
    const path = request.url.split('?', 1)[0] ?? '/';
    const handler = findRoute(path);
    const hot = handler !== undefined;
    const odd = isOddPath(path);
    if (hot && (doors === 'direct' || odd)) {
      if (odd) keepTarget(request, path);
      routes.set(request, { path, handler });
      direct(request, response);
      return;
    }
    if (!hot && turnAway(runtime, request, response, path)) return;
    const above = aboveNextLimits(request);
    if (above) return sayFailure(response, above.status, above.error);
    cutUserAgent(request);
    if (!hot) secureDashboard(request, response, { dev });
    const served = hot || path.startsWith(ASSETS) ? next(request, response) : servePage(runtime, request, response, next);
    served.catch((error: unknown) => {
      runtime.log.error({ err: error, path: loggedPath(path) }, 'Next.js failed');
      if (response.headersSent) response.destroy();
      else sayFailure(response, 500, 'Internal server error');
    });
  };
}

/** Serves a page of the dashboard, as long as its address does not ask for too many. */
async function servePage(runtime: WebRuntime, request: IncomingMessage, response: ServerResponse, next: NodeHandler): Promise<void> {
  const { limits, addressOf } = runtime;
  const verdict = limits.takePage(addressOf(addressHeaders(request)));
  if (verdict.allowed) return next(request, response);
  await limits.holdBack(verdict);
  response.setHeader('retry-after', String(verdict.retrySeconds));
  sayFailure(response, 429, 'Too many requests');
}

/** Says who the peer is and which port it came to, and drops what anybody else says of it. */
function stampHeaders(request: IncomingMessage): void {
  // Every request passes here; one that forges our headers is rare. `headers` may hold fewer than `rawHeaders`.
  if (request.rawHeaders.some(isOwnName)) dropOwnHeaders(request);
  stamp(request, PEER_HEADER, request.socket.remoteAddress ?? '');
  stamp(request, LOCAL_PORT_HEADER, String(request.socket.localPort ?? ''));
}

function stamp({ headers, rawHeaders }: IncomingMessage, name: string, value: string): void {
  headers[name] = value;
  rawHeaders.push(name, value);
}

/** Names and values alternate in raw headers. */
function isOwnName(text: string, index: number): boolean {
  return index % 2 === 0 && OWN_NAME.test(text);
}

function dropOwnHeaders(request: IncomingMessage): void {
  for (const name of Object.keys(request.headers)) if (OWN_NAME.test(name)) delete request.headers[name];
  request.rawHeaders = request.rawHeaders.filter((_, index, all) => !OWN_NAME.test(all[index - (index % 2)] ?? ''));
}

/** A URL reads a backslash as a slash, and escapes some characters: what was asked for is kept beside it. */
function keepTarget(request: IncomingMessage, path: string): void {
  stamp(request, TARGET_HEADER, Buffer.from(path, 'latin1').toString('base64url'));
  request.url = path.replaceAll('\\', '%5C') + (request.url ?? '').slice(path.length);
}

/** An old client that names no host means the port it came to. @returns false for a name that no host can have. */
function nameHost(request: IncomingMessage): boolean {
  const { host } = request.headers;
  if (host === undefined) stamp(request, 'host', `localhost:${request.socket.localPort}`);
  if (host === undefined) return true;
  const [whole, port = ''] = HOST_NAME.exec(host) ?? [];
  return whole !== undefined && Number(port) <= PORT_MAX;
}

/** A target may be written whole, as to a proxy; who is meant stands in the Host header all the same. */
function pathAndQuery(target = '/'): string {
  if (target.startsWith('/') || !URL.canParse(target)) return target;
  const { pathname, search } = new URL(target);
  return pathname + search;
}

function sayUnknownBaseAddress(response: ServerResponse): void {
  sayFailure(response, 421, 'Unknown base address');
}

/** For what is answered before any route: with the headers that every answer has. */
function sayFailure(response: ServerResponse, status: number, error: string): void {
  const id = response.getHeader('x-request-id') ?? randomUUID();
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', 'x-request-id': id };
  response.writeHead(status, headers).end(JSON.stringify({ error }));
}

/** Answers what is no HTTP, or too much of it, the way everything else is answered. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [status, message] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', 'Request headers are too large']
      : ['400 Bad Request', 'Request is not valid HTTP'];
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nCache-Control: no-store\r\nX-Request-Id: ${randomUUID()}\r\nConnection: close\r\n\r\n${JSON.stringify({ error: message })}`,
  );
}

/** Keeps the dashboard to the live origin, and from addresses that are none of its own. @returns whether the request has been answered. */
function turnAway({ environmentOf, settings }: WebRuntime, request: IncomingMessage, response: ServerResponse, path: string): boolean {
  const headers = new Headers({ host: request.headers.host ?? '', [LOCAL_PORT_HEADER]: String(request.socket.localPort ?? '') });
  const environment = environmentOf(headers);
  const reading = request.method === 'GET' || request.method === 'HEAD';
  if (environment === undefined) sayUnknownBaseAddress(response);
  else if (path.startsWith('/api/') && !path.startsWith(SIGN_IN_API)) sayFailure(response, 404, 'Not found: the API is below /api/v3');
  else if (hasBrokenEscape(path)) sayFailure(response, 404, 'Not found');
  else if (isBrokenRouterState(request.headers['next-router-state-tree'])) sayFailure(response, 400, 'Request is not valid');
  else if (environment === 'live') return false;
  // A body must not follow: it was meant for the sandbox.
  else if (!reading) sayFailure(response, 404, 'Not found');
  else {
    const target = request.url?.startsWith('/') && !request.url.startsWith('//') ? request.url : '/';
    response.writeHead(307, { location: `${baseUrl(settings, 'live').origin}${target}`, 'cache-control': 'no-store' }).end();
  }
  return true;
}
