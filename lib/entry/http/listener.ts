import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type RequestListener, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { baseUrl } from '@/lib/platform/config/settings';
import type { Failure } from '@/lib/platform/core/failure';
import { maySend } from '@/lib/platform/hold/hold';
import { addressHeaders, logAccess, loggedPath } from './access-log';
import type { ApiRuntime } from './api';
import { compress } from './compress';
import { failureReply, failureResponse, type RouteHandler, withHelp } from './errors';
import { aboveNextLimits, cutUserAgent, readableForm } from './next-limits';
import { type RefusingRuntime, refuseForeignForm } from './refusals';
import { hostNormaliser, LOCAL_PORT_HEADER, OWN_HEADERS, PEER_HEADER, rememberLast, requestId, withoutQuery } from './request-facts';
import { FOREIGN_FORM, FORM_ON_HOLD, isSameOrigin } from './same-origin';
import { secureDashboard, transportSecurity } from './security-headers';
import { fromNode, nodeHeaders, type Reply, type SentRequest, writeReply } from './sent-request';

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
/** A segment of a path that a URL resolves: `.` or `..`, also with escaped dots. */
const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:\/|$)/i;
const READING: ReadonlySet<string> = new Set(['GET', 'HEAD']);
/** While the copy of the database is on hold, only these paths take something: people may sign in, and a provider's report is always kept. */
const OPEN_ON_HOLD = /^\/(?:callbacks|api\/auth|sign-in|sign-out|preferences)(?:\/|$)/;
/** The path of the page that is shown instead of the answer to a form from another site, or to any form while the copy is on hold. */
const FORM_REFUSED = '/form-refused';
/** Returns the answer to a script's form. Next.js makes the text an error in our script, but only if the type has no charset. */
function refusalOfForm(status: number, body: string): Reply {
  return { status, headers: { 'content-type': 'text/plain', 'cache-control': 'no-store' }, body };
}
const FOREIGN_FORM_REPLY = refusalOfForm(403, FOREIGN_FORM);
const ON_HOLD_REPLY = refusalOfForm(503, FORM_ON_HOLD);

/** A route that is answered without Next.js. Routes of the API need no fetch Request and Response, which are slow. */
export type DirectRoute = { readonly answer: (request: SentRequest) => Promise<Reply> } | { readonly handler: RouteHandler };

/** Returns the route of a path that is answered without Next.js, or undefined. */
export type FindRoute = (path: string) => DirectRoute | undefined;

/** The runtime of the listener. */
export type ListenerRuntime = ApiRuntime & RefusingRuntime;

type NodeHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * Creates the request listener of the web process, for both ports. It answers the hot routes itself. Next.js answers everything else: the
 * dashboard, which exists on the live base address only.
 */
export function createListener(runtime: ListenerRuntime, findRoute: FindRoute, next: NodeHandler, { dev = false } = {}): RequestListener {
  const handlers = new WeakMap<object, RouteHandler>();
  const isValidHost = rememberLast(isHost);
  const direct = getRequestListener(async (request, { incoming }) => {
    const handler = handlers.get(incoming);
    if (!handler) return failureResponse({ code: 'not_found' }, requestId(request.headers));
    return compress(request, await handler(request));
  });
  const { settings } = runtime;
  const hsts = transportSecurity(settings);
  const normaliseHost = hostNormaliser(settings);
  const refuse = (response: ServerResponse, failure: Failure) => sendFailure(response, withHelp(failure, settings));

  /** Shows the page that says why a form was refused. @param reply what the script of a form gets instead, which shows no page. */
  const showRefusal = (request: IncomingMessage, response: ServerResponse, reply: Reply, byScript: boolean) => {
    const page = byScript ? undefined : findRoute(FORM_REFUSED);
    if (!page || !('handler' in page)) return writeReply(response, reply);
    handlers.set(request, page.handler);
    return direct(request, response);
  };

  const answerForm = async (request: IncomingMessage, response: ServerResponse, path: string) => {
    if (!path.startsWith(SIGN_IN_API)) {
      const headers = nodeHeaders(request);
      if (!isSameOrigin(headers)) {
        refuseForeignForm(runtime, headers);
        return showRefusal(request, response, FOREIGN_FORM_REPLY, !isForPerson(request));
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
    let path = withoutQuery(request.url);
    let route = findRoute(path);
    const odd = isOddPath(path);
    if (route && !odd && DOT_SEGMENT.test(path)) {
      const { pathname, search } = new URL(request.url, settings.LIVE_BASE_URL);
      request.url = pathname + search;
      path = pathname;
      route = findRoute(path);
      if (!route) {
        logAccess(runtime, request, response);
        return refuse(response, { code: 'not_found' });
      }
    }
    // The answers of API routes have the headers below already, and they write log lines of their own.
    if (route && 'answer' in route) return answerDirectly(runtime, request, response, route.answer(fromNode(request, path)));
    response.setHeader('x-content-type-options', 'nosniff');
    response.setHeader('content-security-policy', "frame-ancestors 'none'");
    logAccess(runtime, request, response);
    if (!maySend() && !READING.has(request.method ?? '') && !OPEN_ON_HOLD.test(path)) {
      // The script of the payment page shows any page that it gets.
      return showRefusal(request, response, ON_HOLD_REPLY, request.headers['next-action'] !== undefined);
    }
    if (route) {
      // A fetch Request would turn backslashes into slashes.
      if (odd) request.url = path.replaceAll('\\', '%5C') + request.url.slice(path.length);
      handlers.set(request, route.handler);
      direct(request, response);
      return;
    }
    if (answerWithoutNext(runtime, request, response, path)) return;
    const above = aboveNextLimits(request);
    if (above) return refuse(response, { code: above });
    cutUserAgent(request);
    secureDashboard(request, response, { dev });
    served(request, response, path).catch((error: unknown) => {
      runtime.log.error({ err: error, path: loggedPath(path) }, 'Next.js failed');
      if (response.headersSent) response.destroy();
      else refuse(response, { code: 'internal' });
    });
  };

  function served(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    if (path.startsWith(ASSETS) || ICONS.has(path)) return next(request, response);
    return request.method === 'POST' ? answerForm(request, response, path) : servePage(runtime, request, response, next);
  }
}

function answerDirectly(runtime: ListenerRuntime, request: IncomingMessage, response: ServerResponse, answer: Promise<Reply>): void {
  answer.then(
    (reply) => writeReply(response, reply),
    (error: unknown) => {
      runtime.log.error({ err: error, path: request.url }, 'request failed');
      response.destroy();
    },
  );
}

/** Serves a page of the dashboard, unless the caller's address has opened too many pages. */
async function servePage(runtime: ListenerRuntime, request: IncomingMessage, response: ServerResponse, next: NodeHandler): Promise<void> {
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

/** Returns whether the name and port of a host are valid. */
function isHost(host: string): boolean {
  const [whole, port = ''] = HOST_NAME.exec(host) ?? [];
  return whole !== undefined && Number(port) <= PORT_MAX;
}

/** Characters that the class URL may change, or that servers interpret differently. */
const SUSPECT = /[\\%]|\/\//;

/** Returns whether a path has a backslash, an empty segment or an escape that is not UTF-8. Frameworks disagree about these. */
function isOddPath(path: string): boolean {
  if (!SUSPECT.test(path)) return false;
  if (path.includes('\\') || path.includes('//')) return true;
  return hasBrokenEscape(path);
}

function hasBrokenEscape(path: string): boolean {
  try {
    decodeURIComponent(path);
    return false;
  } catch {
    // decodeURIComponent throws nothing but URIError.
    return true;
  }
}

/** Returns whether Next.js would fail on the value of its own `Next-Router-State-Tree` header. */
function isBrokenRouterState(header: string | readonly string[] | undefined): boolean {
  if (header === undefined) return false;
  if (typeof header !== 'string') return true;
  try {
    const state: unknown = JSON.parse(decodeURIComponent(header));
    return !(Array.isArray(state) && typeof state[1] === 'object' && state[1] !== null);
  } catch {
    // The value is not valid URI encoding, or not JSON.
    return true;
  }
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
  { environmentOf, settings }: ListenerRuntime,
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
