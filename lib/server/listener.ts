import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { baseUrl } from '@/lib/config/settings';
import { compress } from '@/lib/http/compress';
import { failureResponse } from '@/lib/http/errors';
import { rememberLast } from '@/lib/http/remember-last';
import { LOCAL_PORT_HEADER, OWN_HEADERS, PEER_HEADER, pathAsSent, requestId, TARGET_HEADER, withoutQuery } from '@/lib/http/request-facts';
import type { RouteHandler } from '@/lib/http/route-module';
import { fromNode, type Reply, type SentRequest, writeReply } from '@/lib/http/sent-request';
import { addressHeaders, logAccess, loggedPath } from './access-log';
import { aboveNextLimits, cutUserAgent } from './next-limits';
import { hasBrokenEscape, isBrokenRouterState, isOddPath } from './odd-target';
import { secureDashboard, transportSecurity } from './security-headers';
import type { WebRuntime } from './web-runtime';

const HOST_NAME = /^(?:[\w.-]*|\[[\da-f:.]+\])(?::(\d*))?$/i;
const PORT_MAX = 65_535;
/** Static scripts and styles. They are cheap, and a page loads many of them, so the limit of pages does not apply to them. */
const ASSETS = '/_next/static/';
/** The icons that a browser loads with a page. */
const ICONS: ReadonlySet<string> = new Set(['/favicon.ico', '/icon.svg', '/apple-touch-icon.png', '/manifest.webmanifest']);
/** The API routes of next-auth. */
const SIGN_IN_API = '/api/auth/';
const OWN_NAME = new RegExp(`^${OWN_HEADERS}`, 'i');

/** A route that is answered without Next.js. */
export interface DirectRoute {
  readonly handler: RouteHandler;
  /** Answers a request without creating a fetch Request and Response, which is faster. Only API routes have this function. */
  readonly answer?: (request: SentRequest) => Promise<Reply>;
}

/** Returns the route of a path that is answered without Next.js, or undefined. */
export type FindRoute = (path: string) => DirectRoute | undefined;

/** A handler, and the path for which it was found. */
interface FoundRoute {
  readonly path: string;
  readonly handler: RouteHandler;
}

type NodeHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * Creates the request listener of the web process, for both ports. It answers the hot routes itself. Next.js answers everything else: the
 * dashboard, which exists on the live base address only.
 */
export function createListener(runtime: WebRuntime, findRoute: FindRoute, next: NodeHandler, { dev = false } = {}): RequestListener {
  const routes = new WeakMap<object, FoundRoute>();
  const isValidHost = rememberLast(isHost);
  const direct = getRequestListener(async (request, { incoming }) => {
    const found = routes.get(incoming);
    const path = pathAsSent(request);
    // Creating the fetch Request has resolved dot segments of the path, so the path may belong to another route now.
    const handler = path === found?.path ? found.handler : findRoute(path)?.handler;
    if (!handler) return failureResponse({ code: 'not_found' }, requestId(request.headers));
    // Route handlers do not compress, because Next.js would drop their Content-Encoding and compress the answer again. Without Next.js,
    // the listener compresses it.
    return compress(request, await handler(request));
  });
  const entryPoint = runtime.settings.HTTP_DOOR;
  const hsts = transportSecurity(runtime.settings);

  return (request, response) => {
    stampHeaders(request);
    if (hsts !== null) response.setHeader('strict-transport-security', hsts);
    request.url = pathAndQuery(request.url);
    if (!isValidHost(ensureHost(request))) return sendUnknownBaseAddress(response);
    const path = withoutQuery(request.url);
    const route = findRoute(path);
    const hot = route !== undefined;
    // API routes write log lines of their own.
    if (!route?.answer) logAccess(runtime, request, response);
    const odd = isOddPath(path);
    if (route && (entryPoint === 'direct' || odd)) {
      if (route.answer && !odd) {
        answerDirectly(runtime, request, response, route.answer(fromNode(request, path)));
        return;
      }
      if (odd) storeTarget(request, path);
      routes.set(request, { path, handler: route.handler });
      direct(request, response);
      return;
    }
    if (!hot && answerWithoutNext(runtime, request, response, path)) return;
    const above = aboveNextLimits(request);
    if (above) return sendFailure(response, above.status, above.error);
    cutUserAgent(request);
    if (!hot) secureDashboard(request, response, { dev });
    const served =
      hot || path.startsWith(ASSETS) || ICONS.has(path) ? next(request, response) : servePage(runtime, request, response, next);
    served.catch((error: unknown) => {
      runtime.log.error({ err: error, path: loggedPath(path) }, 'Next.js failed');
      if (response.headersSent) response.destroy();
      else sendFailure(response, 500, 'Internal server error');
    });
  };
}

function answerDirectly(runtime: WebRuntime, request: IncomingMessage, response: ServerResponse, answer: Promise<Reply>): void {
  answer.then(
    (reply) => writeReply(response, reply),
    (error: unknown) => {
      runtime.log.error({ err: error, path: request.url }, 'request failed');
      response.destroy();
    },
  );
}

/** Serves a page of the dashboard, unless the caller's address has opened too many pages. */
async function servePage(runtime: WebRuntime, request: IncomingMessage, response: ServerResponse, next: NodeHandler): Promise<void> {
  const { limits, addressOf } = runtime;
  const verdict = limits.takePage(addressOf(addressHeaders(request)));
  if (verdict.allowed) return next(request, response);
  await limits.delayRefusal(verdict);
  response.setHeader('retry-after', String(verdict.retrySeconds));
  sendFailure(response, 429, 'Too many requests');
}

/** Sets our internal headers: the peer's address and the local port. Removes internal headers that the client has sent. */
function stampHeaders(request: IncomingMessage): void {
  // A quick check comes first, because forged headers are rare. The check reads `rawHeaders`, because `headers` may lack some headers.
  if (hasOwnName(request.rawHeaders)) dropOwnHeaders(request);
  stamp(request, PEER_HEADER, request.socket.remoteAddress ?? '');
  stamp(request, LOCAL_PORT_HEADER, String(request.socket.localPort ?? ''));
}

function stamp({ headers, rawHeaders }: IncomingMessage, name: string, value: string): void {
  headers[name] = value;
  rawHeaders.push(name, value);
}

/** Returns whether a client has sent one of our headers. In raw headers, names and values alternate. */
function hasOwnName(rawHeaders: readonly string[]): boolean {
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    // The hyphen is a quick check: few headers begin with one letter and a hyphen.
    if (name[1] === '-' && OWN_NAME.test(name)) return true;
  }
  return false;
}

function dropOwnHeaders(request: IncomingMessage): void {
  for (const name of Object.keys(request.headers)) if (OWN_NAME.test(name)) delete request.headers[name];
  request.rawHeaders = request.rawHeaders.filter((_, index, all) => !OWN_NAME.test(all[index - (index % 2)] ?? ''));
}

/** Stores the original target in a header, because a URL turns backslashes into slashes and escapes some characters. */
function storeTarget(request: IncomingMessage, path: string): void {
  stamp(request, TARGET_HEADER, Buffer.from(path, 'latin1').toString('base64url'));
  request.url = path.replaceAll('\\', '%5C') + (request.url ?? '').slice(path.length);
}

/** Returns the Host header. Adds one for clients that send none (HTTP/1.0). */
function ensureHost(request: IncomingMessage): string {
  const { host } = request.headers;
  if (host !== undefined) return host;
  const own = `localhost:${request.socket.localPort}`;
  stamp(request, 'host', own);
  return own;
}

/** Returns whether the name and port of a host are valid. */
function isHost(host: string): boolean {
  const [whole, port = ''] = HOST_NAME.exec(host) ?? [];
  return whole !== undefined && Number(port) <= PORT_MAX;
}

/** Returns the path and query of a request target. The host of an absolute URL is ignored: the listener uses the Host header. */
function pathAndQuery(target = '/'): string {
  if (target.startsWith('/') || !URL.canParse(target)) return target;
  const { pathname, search } = new URL(target);
  return pathname + search;
}

function sendUnknownBaseAddress(response: ServerResponse): void {
  sendFailure(response, 421, 'Unknown base address');
}

/** Answers a request before any route is known, with the headers that all API answers have. */
function sendFailure(response: ServerResponse, status: number, error: string): void {
  const id = response.getHeader('x-request-id') ?? randomUUID();
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', 'x-request-id': id };
  response.writeHead(status, headers).end(JSON.stringify({ error }));
}

/** Answers invalid HTTP and too large headers with a JSON error, like all other failures of the API. */
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

/**
 * Answers requests that must not reach Next.js: to unknown hosts, to the sandbox port, and with invalid paths or headers. Returns whether
 * it answered.
 */
function answerWithoutNext(
  { environmentOf, settings }: WebRuntime,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): boolean {
  const headers = new Headers({ host: request.headers.host ?? '', [LOCAL_PORT_HEADER]: String(request.socket.localPort ?? '') });
  const environment = environmentOf(headers);
  const reading = request.method === 'GET' || request.method === 'HEAD';
  if (environment === undefined) sendUnknownBaseAddress(response);
  else if (path.startsWith('/api/') && !path.startsWith(SIGN_IN_API)) sendFailure(response, 404, 'Not found: the API is below /api/v3');
  else if (hasBrokenEscape(path)) sendFailure(response, 404, 'Not found');
  else if (isBrokenRouterState(request.headers['next-router-state-tree'])) sendFailure(response, 400, 'Request is not valid');
  else if (environment === 'live') return false;
  // A form is not redirected, because the browser would send its body to live although it was meant for the sandbox.
  else if (!reading) sendFailure(response, 404, 'Not found');
  else {
    const target = request.url?.startsWith('/') && !request.url.startsWith('//') ? request.url : '/';
    response.writeHead(307, { location: `${baseUrl(settings, 'live').origin}${target}`, 'cache-control': 'no-store' }).end();
  }
  return true;
}
