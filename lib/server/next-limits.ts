import type { IncomingMessage } from 'node:http';

/** The maximum size of a form, bytes. Next.js has the same limit: `bodySizeLimit` in next.config.mjs. */
export const FORM_MAX_BYTES = 100 * 1024;
/** The maximum number of query parameters. The bill list needs about 100: it sends the ids of its 100 rows to refresh them. */
export const PARAMETERS_MAX = 200;
/** The maximum length of the User-Agent header. No browser sends a longer one. */
const USER_AGENT_MAX = 500;
/** Upload routes. They have their own size limits. */
const UPLOAD = /\/(?:bills\/import\/upload|settings\/logo)$/;

interface LimitRefusal {
  readonly status: number;
  readonly error: string;
}

/**
 * Checks the limits of a request before Next.js reads the request. Next.js needs quadratic time for the parameters of a URL (seconds for
 * 16 kB). To a form that is too large, Next.js answers 500, or nothing until the request times out. Returns the refusal, or null if the
 * request is allowed.
 */
export function aboveNextLimits({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>): LimitRefusal | null {
  if (url.split('&', PARAMETERS_MAX + 1).length > PARAMETERS_MAX) return { status: 414, error: 'Request address has too many parameters' };
  const [path = ''] = url.split('?', 1);
  if (Number(headers['content-length']) > FORM_MAX_BYTES && !UPLOAD.test(path)) return { status: 413, error: 'Request body is too large' };
  return null;
}

/** Shortens the User-Agent. Next.js looks for crawlers in it with a regular expression that takes quadratic time (seconds for 16 kB). */
export function cutUserAgent({ headers }: Pick<IncomingMessage, 'headers'>): void {
  const agent = headers['user-agent'];
  if (agent !== undefined && agent.length > USER_AGENT_MAX) headers['user-agent'] = agent.slice(0, USER_AGENT_MAX);
}
