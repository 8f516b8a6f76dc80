import type { IncomingMessage, ServerResponse } from 'node:http';
import { findUuid } from '@/lib/platform/core/ids';
import type { ApiRuntime } from './api';
import { PEER_HEADER, queryOf, requestId, withoutQuery } from './request-facts';

const REQUEST_ID = 'x-request-id';
/** Requests without an access line: routes with a line of their own, frequent health checks, and static files. */
const QUIET = /^\/(?:api\/v\d|callbacks|healthz|readyz|_next|pay\/logo)(?:\/|$)/;
/** Maximum length of a logged path. The product's own paths are shorter. */
const PATH_MAX = 300;
/** These paths contain a secret: whoever has the link can join, or use the test phones. */
const LINK = /^(\/invitation|\/phone)\/.+/;

/** The status of an answer to a request for a host that is neither of the base addresses. */
const MISDIRECTED = 421;

/** Returns the path for the log: without the query and without the secret of a link. */
export function loggedPath(path: string): string {
  return path.replace(LINK, '$1/[token]').slice(0, PATH_MAX);
}

/**
 * Logs a request of the dashboard or payment page after its answer. Also gives the request an id, which the answer and all log lines about
 * the request contain. The query is not logged, because it can contain tokens, numbers and search terms. The only exception is the bill id
 * of a payment page.
 */
export function logAccess(runtime: Pick<ApiRuntime, 'requestLog' | 'addressOf'>, request: IncomingMessage, response: ServerResponse): void {
  const { method, url = '/' } = request;
  const path = withoutQuery(url);
  if (QUIET.test(path)) return;
  const started = performance.now();
  const id = assignRequestId(request, response);
  const address = runtime.addressOf(addressHeaders(request));
  response.once('close', () => {
    const bill = path === '/pay' || path === '/pay/' ? findUuid(queryOf(url).get('bill') ?? '') : null;
    runtime.requestLog.info(
      {
        requestId: id,
        method,
        path: loggedPath(path),
        status: response.statusCode,
        ms: Math.round((performance.now() - started) * 10) / 10,
        address,
        // The proxy probably does not pass the Host header on.
        ...(response.statusCode === MISDIRECTED && { host: request.headers.host }),
        // The browser disconnected before it had the whole answer.
        ...(!response.writableFinished && { aborted: true }),
        ...(bill !== null && { billId: bill }),
      },
      'page',
    );
  });
}

/** Sets the request id that later handlers read. Uses the id that the caller sent, if that id is well-formed. */
function assignRequestId(request: IncomingMessage, response: ServerResponse): string {
  const given = request.headers[REQUEST_ID];
  const id = requestId(new Headers(typeof given === 'string' ? { [REQUEST_ID]: given } : {}));
  request.headers[REQUEST_ID] = id;
  request.rawHeaders = request.rawHeaders.filter((_, at, all) => all[at - (at % 2)]?.toLowerCase() !== REQUEST_ID);
  request.rawHeaders.push(REQUEST_ID, id);
  response.setHeader(REQUEST_ID, id);
  return id;
}

/** Returns the headers that contain the address of the caller. */
export function addressHeaders({ headers }: IncomingMessage): Headers {
  const forwarded = headers['x-forwarded-for'];
  return new Headers({
    [PEER_HEADER]: String(headers[PEER_HEADER] ?? ''),
    ...(typeof forwarded === 'string' && { 'x-forwarded-for': forwarded }),
  });
}
