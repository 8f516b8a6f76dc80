import { IncomingMessage } from 'node:http';
import { type BodyFailure, readForm } from './body';
import { withoutQuery } from './request-facts';
import { fromNode } from './sent-request';

/** The maximum size of a form, bytes. Next.js has the same limit: `bodySizeLimit` in next.config.mjs. */
export const FORM_MAX_BYTES = 100 * 1024;
/** The maximum number of query parameters. The bill list needs about 100: it sends the ids of its 100 rows to refresh them. */
export const PARAMETERS_MAX = 200;
/** The maximum length of the User-Agent header. No browser sends a longer one. */
const USER_AGENT_MAX = 500;
const MULTIPART = /^multipart\/form-data/i;
/** Upload routes. They have their own size limits. */
const UPLOAD = /\/(?:bills\/import\/upload|settings\/logo)$/;

/**
 * Checks the limits of a request before Next.js reads the request. Next.js needs quadratic time for the parameters of a URL (seconds for
 * 16 kB). To a form that is too large, Next.js answers 500, or nothing until the request times out. Returns the failure, or null if the
 * request is allowed.
 */
export function aboveNextLimits({
  url = '',
  headers,
}: Pick<IncomingMessage, 'url' | 'headers'>): 'parameters_too_many' | 'body_too_large' | null {
  if (url.split('&', PARAMETERS_MAX + 1).length > PARAMETERS_MAX) return 'parameters_too_many';
  const [path = ''] = url.split('?', 1);
  if (Number(headers['content-length']) > FORM_MAX_BYTES && !UPLOAD.test(path)) return 'body_too_large';
  return null;
}

/**
 * Reads the body of a server action before Next.js, which answers 500 to a body that it cannot read. Returns a request with the same
 * content for Next.js, or the failure. Does not read the bodies of other requests: their routes read them.
 */
export async function readableForm(request: IncomingMessage): Promise<IncomingMessage | 'request_invalid' | BodyFailure> {
  const { headers, url = '' } = request;
  const type = headers['content-type'] ?? '';
  if (headers['next-action'] === undefined && !MULTIPART.test(type)) return request;
  const path = withoutQuery(url);
  if (UPLOAD.test(path)) return request;
  const read = await fromNode(request, path).readBody(FORM_MAX_BYTES);
  if (!read.ok) return read.error;
  const body = new Uint8Array(read.value);
  const isReadable = MULTIPART.test(type) ? (await readForm(body, type)) !== null : isJson(body);
  return isReadable ? withBody(request, body) : 'request_invalid';
}

/** Returns a copy of a request whose body was read. Bytes that were put back would not do: fetch refuses a stream from which somebody has read. */
function withBody(request: IncomingMessage, body: Uint8Array): IncomingMessage {
  const { method, url, headers, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor } = request;
  const about = { method, url, headers, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor, complete: true };
  const copy = Object.assign(new IncomingMessage(request.socket), about);
  copy.push(body);
  copy.push(null);
  return copy;
}

function isJson(body: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder().decode(body));
    return true;
  } catch {
    // JSON.parse throws nothing but SyntaxError.
    return false;
  }
}

/** Shortens the User-Agent. Next.js looks for crawlers in it with a regular expression that takes quadratic time (seconds for 16 kB). */
export function cutUserAgent({ headers }: Pick<IncomingMessage, 'headers'>): void {
  const agent = headers['user-agent'];
  if (agent !== undefined && agent.length > USER_AGENT_MAX) headers['user-agent'] = agent.slice(0, USER_AGENT_MAX);
}
