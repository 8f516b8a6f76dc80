import type { IncomingMessage } from 'node:http';
import { readForm } from '@/lib/http/read-form';

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
 * Reads the body of a server action and puts it back for Next.js, which answers 500 to a body that it cannot read. Does not touch other
 * requests: their routes read the body themselves. Returns whether Next.js can read the request, or the failure.
 */
export async function readableForm(
  request: IncomingMessage,
): Promise<'readable' | 'request_invalid' | 'body_incomplete' | 'body_too_large'> {
  const { headers, url = '' } = request;
  const type = headers['content-type'] ?? '';
  const isAction = headers['next-action'] !== undefined;
  if (!isAction && !MULTIPART.test(type)) return 'readable';
  if (UPLOAD.test(url.split('?', 1)[0] ?? '')) return 'readable';
  const body = await peekBody(request);
  if (typeof body === 'string') return body;
  return (MULTIPART.test(type) ? (await readForm(body, type)) !== null : isJson(body)) ? 'readable' : 'request_invalid';
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

/** Reads a body without taking it away: whoever reads the request next reads the same bytes. */
async function peekBody(request: IncomingMessage): Promise<Uint8Array<ArrayBuffer> | 'body_incomplete' | 'body_too_large'> {
  const { promise, resolve } = Promise.withResolvers<Uint8Array<ArrayBuffer> | 'body_incomplete' | 'body_too_large'>();
  const chunks: Buffer[] = [];
  let size = 0;
  const read = () => {
    for (let chunk = request.read(); Buffer.isBuffer(chunk); chunk = request.read()) {
      chunks.push(chunk);
      size += chunk.length;
    }
    if (size > FORM_MAX_BYTES) return resolve('body_too_large');
    if (!request.complete) return;
    const body = Buffer.concat(chunks);
    // Bytes can be put back until the event `end`, which comes in a later turn of the event loop.
    request.off('readable', read);
    if (body.length > 0) request.unshift(body);
    resolve(new Uint8Array(body));
  };
  const closed = () => resolve('body_incomplete');
  request.on('readable', read).once('close', closed).once('error', closed);
  const body = await promise;
  request.off('readable', read).off('close', closed).off('error', closed);
  return body;
}

/** Shortens the User-Agent. Next.js looks for crawlers in it with a regular expression that takes quadratic time (seconds for 16 kB). */
export function cutUserAgent({ headers }: Pick<IncomingMessage, 'headers'>): void {
  const agent = headers['user-agent'];
  if (agent !== undefined && agent.length > USER_AGENT_MAX) headers['user-agent'] = agent.slice(0, USER_AGENT_MAX);
}
