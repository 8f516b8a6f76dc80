import type { IncomingMessage, ServerResponse } from 'node:http';
import { isUuid } from '@/lib/core/ids';
import { PEER_HEADER, queryOf, requestId } from '@/lib/http/request-facts';
import type { WebRuntime } from './web-runtime';

const REQUEST_ID = 'x-request-id';
/** Routes that write a line of their own, probes that come every few seconds, and files of the build. */
const QUIET = /^\/(?:api\/v\d|callbacks|healthz|readyz|_next|pay\/logo)(?:\/|$)/;
/** Longest path in a line; ours are shorter. */
const PATH_MAX = 300;
/** Whoever has such a link is let in. */
const LINK = /^(\/invitation)\/.+/;

/** @returns the path of a request as it may stand in a log: without its query, and without a link's secret. */
export function loggedPath(path: string): string {
  return path.replace(LINK, '$1/[token]').slice(0, PATH_MAX);
}

/**
 * Writes one line for a request of the dashboard or of the payment page once it is answered, and gives the request an id that the
 * answer and all lines about it share. The query is left out: it has tokens, numbers and what was searched for; of the payment
 * page's, the bill is kept.
 */
export function logAccess(runtime: Pick<WebRuntime, 'requestLog' | 'addressOf'>, request: IncomingMessage, response: ServerResponse): void {
  const { method, url = '/' } = request;
  const path = url.split('?', 1)[0] ?? '/';
  if (QUIET.test(path)) return;
  const started = performance.now();
  const id = giveId(request, response);
  const address = runtime.addressOf(addressHeaders(request));
  response.once('close', () => {
    const bill = path === '/pay' ? queryOf(url).get('bill') : null;
    runtime.requestLog.info(
      {
        requestId: id,
        method,
        path: loggedPath(path),
        status: response.statusCode,
        ms: Math.round((performance.now() - started) * 10) / 10,
        address,
        // The browser went away before it had the whole answer.
        ...(!response.writableFinished && { aborted: true }),
        ...(bill !== null && isUuid(bill) && { billId: bill }),
      },
      'page',
    );
  });
}

/** Whoever answers the request later reads this id: it keeps a caller's own where that is sensible. */
function giveId(request: IncomingMessage, response: ServerResponse): string {
  const given = request.headers[REQUEST_ID];
  const id = requestId(new Headers(typeof given === 'string' ? { [REQUEST_ID]: given } : {}));
  request.headers[REQUEST_ID] = id;
  request.rawHeaders = request.rawHeaders.filter((_, at, all) => all[at - (at % 2)]?.toLowerCase() !== REQUEST_ID);
  request.rawHeaders.push(REQUEST_ID, id);
  response.setHeader(REQUEST_ID, id);
  return id;
}

/** @returns of a request's headers those that say where it came from. */
export function addressHeaders({ headers }: IncomingMessage): Headers {
  const forwarded = headers['x-forwarded-for'];
  return new Headers({
    [PEER_HEADER]: String(headers[PEER_HEADER] ?? ''),
    ...(typeof forwarded === 'string' && { 'x-forwarded-for': forwarded }),
  });
}
