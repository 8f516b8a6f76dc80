import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type RequestListener, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { baseUrl } from '@/lib/config/settings';
import type { Failure } from '@/lib/core/failure';
import { compress } from '@/lib/http/compress';
import { failureReply, failureResponse, withHelp } from '@/lib/http/errors';
import { rememberLast } from '@/lib/http/remember-last';
import {
  hostNormaliser,
  LOCAL_PORT_HEADER,
  OWN_HEADERS,
  PEER_HEADER,
  pathAsSent,
  requestId,
  TARGET_HEADER,
  withoutQuery,
} from '@/lib/http/request-facts';
import type { RouteHandler } from '@/lib/http/route-module';
import { FOREIGN_FORM, isSameOrigin } from '@/lib/http/same-origin';
import { fromNode, nodeHeaders, type Reply, type SentRequest, writeReply } from '@/lib/http/sent-request';
import { addressHeaders, logAccess, loggedPath } from './access-log';
import { aboveNextLimits, cutUserAgent, readableForm } from './next-limits';
import { hasBrokenEscape, isBrokenRouterState, isOddPath } from './odd-target';
import { refuseForeignForm } from './refusals';
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
/** Headers that are removed from requests: our own, and X-Forwarded-Host, which Next.js would believe. Host alone decides. */
const REMOVED_NAME = new RegExp(`^(?:${OWN_HEADERS}|x-forwarded-host$)`, 'i');
/** Paths of the API, in any spelling that a client's configuration may lead to: `/api`, `/API/V3/networks`, `/apiv3`. */
const API_LIKE = /^\/+api(?![^/v])/i;
/** The files of the folder `public`. */
const PUBLIC_FILE = /^\/[\w-]+\.\w+$/;
const READING: ReadonlySet<string> = new Set(['GET', 'HEAD']);
/** The path of the page that is shown instead of the answer to a form from another site. */
const FORM_REFUSED = '/form-refused';
/** Next.js makes the text an error in our script, but only if the type has no charset. */
const FOREIGN_FORM_REPLY: Reply = {
  status: 403,
  headers: { 'content-type': 'text/plain', 'cache-control': 'no-store' },
  body: FOREIGN_FORM,
};

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
  const { settings } = runtime;
  const entryPoint = settings.HTTP_DOOR;
  const hsts = transportSecurity(settings);
  const normaliseHost = hostNormaliser(settings);
  const refuse = (response: ServerResponse, failure: Failure) => sendFailure(response, withHelp(failure, settings));

  const answerForm = async (request: IncomingMessage, response: ServerResponse, path: string) => {
    if (!path.startsWith(SIGN_IN_API)) {
      const headers = nodeHeaders(request);
      if (!isSameOrigin(headers)) {
        refuseForeignForm(runtime, headers);
        const page = isForPerson(request) ? findRoute(FORM_REFUSED) : undefined;
        if (!page) return writeReply(response, FOREIGN_FORM_REPLY);
        routes.set(request, { path, handler: page.handler });
        return direct(request, response);
      }
      alignOrigin(request, settings.LIVE_BASE_URL.protocol);
    }
    const form = await readableForm(request);
    return typeof form === 'string' ? refuse(response, { code: form }) : servePage(runtime, form, response, next);
  };

  return (request, response) => {
    if (hsts !== null) response.setHeader('strict-transport-security', hsts);
    request.url = pathAndQuery(request.url);
    if (!readHeaders(request, normaliseHost)) return refuse(response, { code: 'request_invalid' });
    if (!isValidHost(request.headers.host ?? '')) return refuse(response, { code: 'base_address_unknown' });
    const path = withoutQuery(request.url);
    const route = findRoute(path);
    const hot = route !== undefined;
    // The answers of API routes have this header already.
    if (!route?.answer) response.setHeader('x-content-type-options', 'nosniff');
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
    if (above) return refuse(response, { code: above });
    cutUserAgent(request);
    if (!hot) secureDashboard(request, response, { dev });
    served(request, response, path, hot).catch((error: unknown) => {
      runtime.log.error({ err: error, path: loggedPath(path) }, 'Next.js failed');
      if (response.headersSent) response.destroy();
      else refuse(response, { code: 'internal' });
    });
  };

  function served(request: IncomingMessage, response: ServerResponse, path: string, hot: boolean): Promise<void> {
    if (hot || path.startsWith(ASSETS) || ICONS.has(path)) return next(request, response);
    return request.method === 'POST' ? answerForm(request, response, path) : servePage(runtime, request, response, next);
  }
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
  const retry = { 'retry-after': String(verdict.retrySeconds) };
  sendFailure(response, withHelp({ code: 'too_many_requests', headers: retry }, runtime.settings));
}

/**
 * Sets our internal headers (the peer's address and the local port) and normalises the Host header, so that everything after this function
 * decides by the same host. Removes headers that the client must not set.
 * @returns false if the client sent two Host or Authorization headers, of which a proxy may have checked the other one, or no Host (RFC 9112, 3.2).
 */
function readHeaders(request: IncomingMessage, normaliseHost: (host: string) => string): boolean {
  const { rawHeaders } = request;
  let hosts = 0;
  let authorizations = 0;
  let remove = false;
  // In raw headers, names and values alternate. `headers` lacks repeated headers. The first comparisons are quick checks.
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name[1] === '-') remove ||= REMOVED_NAME.test(name);
    else if (name.length === 4) hosts += Number(name.toLowerCase() === 'host');
    else if (name.length === 13) authorizations += Number(name.toLowerCase() === 'authorization');
  }
  if (remove) removeHeaders(request, REMOVED_NAME);
  stamp(request, PEER_HEADER, request.socket.remoteAddress ?? '');
  stamp(request, LOCAL_PORT_HEADER, String(request.socket.localPort ?? ''));
  const { host } = request.headers;
  // Clients of HTTP/1.0 may send no Host.
  if (host === undefined) stamp(request, 'host', `localhost:${request.socket.localPort}`);
  else if (normaliseHost(host) !== host) replaceHeader(request, 'host', normaliseHost(host));
  return hosts <= 1 && authorizations <= 1 && (host !== undefined || request.httpVersion === '1.0');
}

function stamp({ headers, rawHeaders }: IncomingMessage, name: string, value: string): void {
  headers[name] = value;
  rawHeaders.push(name, value);
}

function removeHeaders(request: IncomingMessage, names: RegExp): void {
  for (const name of Object.keys(request.headers)) if (names.test(name)) delete request.headers[name];
  request.rawHeaders = request.rawHeaders.filter((_, index, all) => !names.test(all[index - (index % 2)] ?? ''));
}

function replaceHeader(request: IncomingMessage, name: string, value: string): void {
  removeHeaders(request, new RegExp(`^${name}$`, 'i'));
  stamp(request, name, value);
}

/**
 * Makes the host of the Origin header that of the Host header. The browser says that one of our own pages sent the form, but a proxy or an
 * extension has changed Origin. Next.js compares only these two headers.
 */
function alignOrigin(request: IncomingMessage, protocol: string): void {
  const { origin, host } = request.headers;
  if (origin !== undefined && URL.parse(origin)?.host !== host) replaceHeader(request, 'origin', `${protocol}//${host}`);
}

/** Returns whether the browser shows the answer as a page. Otherwise a script of our own page reads it. */
function isForPerson({ headers }: IncomingMessage): boolean {
  return headers['next-action'] === undefined && (headers.accept ?? '').includes('text/html');
}

/** Stores the original target in a header, because a URL turns backslashes into slashes and escapes some characters. */
function storeTarget(request: IncomingMessage, path: string): void {
  stamp(request, TARGET_HEADER, Buffer.from(path, 'latin1').toString('base64url'));
  request.url = path.replaceAll('\\', '%5C') + (request.url ?? '').slice(path.length);
}

/** Returns whether the name and port of a host are valid. */
function isHost(host: string): boolean {
  const [whole, port = ''] = HOST_NAME.exec(host) ?? [];
  return whole !== undefined && Number(port) <= PORT_MAX;
}

/**
 * Returns the path and query of a request target. The host of an absolute URL is ignored: the listener uses the Host header. A base address
 * that ends with a slash leads to `//api`, which is the API too.
 */
function pathAndQuery(target = '/'): string {
  if (target.startsWith('//')) return target.replace(/^\/+(?=api\/v)/, '/');
  if (target.startsWith('/') || !URL.canParse(target)) return target;
  const { pathname, search } = new URL(target);
  return pathname + search;
}

/** Answers a request outside the API routes, with the headers that all API answers have. */
function sendFailure(response: ServerResponse, failure: Failure): void {
  const id = response.getHeader('x-request-id');
  writeReply(response, failureReply(failure, typeof id === 'string' ? id : randomUUID()));
}

/** Answers invalid HTTP and too large headers with a JSON error, like all other failures of the API. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const code = error.code === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : 'request_invalid';
  const { status, headers, body } = failureReply({ code }, randomUUID());
  const lines = Object.entries({ ...headers, connection: 'close' }).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'));
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
  const environment = environmentOf(nodeHeaders(request));
  const reading = READING.has(request.method ?? '');
  const refuse = (failure: Failure) => sendFailure(response, withHelp(failure, settings));
  if (environment === undefined) refuse({ code: 'base_address_unknown' });
  else if (API_LIKE.test(path) && !path.startsWith(SIGN_IN_API)) refuse({ code: 'not_found' });
  else if (hasBrokenEscape(path)) refuse({ code: 'not_found' });
  else if (isBrokenRouterState(request.headers['next-router-state-tree'])) refuse({ code: 'request_invalid' });
  else if (environment === 'live') {
    const isFile = path.startsWith('/_next/') || PUBLIC_FILE.test(path);
    if (reading || (request.method === 'POST' && !isFile)) return false;
    refuse({ code: 'method_not_allowed', detail: request.method ?? '', headers: { allow: isFile ? 'GET, HEAD' : 'GET, HEAD, POST' } });
  }
  // A form is not redirected, because the browser would send its body to live although it was meant for the sandbox.
  else if (!reading) refuse({ code: 'not_found' });
  else {
    const target = request.url?.startsWith('/') && !request.url.startsWith('//') ? request.url : '/';
    response.writeHead(307, { location: `${baseUrl(settings, 'live').origin}${target}`, 'cache-control': 'no-store' }).end();
  }
  return true;
}
