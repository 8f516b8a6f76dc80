import type { IncomingMessage } from 'node:http';

/** The largest form that Next.js takes, bytes: `bodySizeLimit` in next.config.mjs. */
export const FORM_MAX_BYTES = 100 * 1024;
/** The most parameters in an address. The list of bills asks for its 100 rows by their ids. */
export const PARAMETERS_MAX = 200;
/** Longer than what browsers send. */
const USER_AGENT_MAX = 500;
/** Routes that take files, and bound them themselves. */
const UPLOAD = /\/(?:bills\/import\/upload|settings\/logo)$/;

interface LimitRefusal {
  readonly status: number;
  readonly error: string;
}

/**
 * Checks what Next.js is about to read. It takes time that grows with the square of the number of parameters in an address, seconds
 * for 16 kB; and it answers a form above its limit with 500, or not at all until the request times out.
 * @returns the refusal, or null for a request that Next.js may have.
 */
export function aboveNextLimits({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>): LimitRefusal | null {
  if (url.split('&', PARAMETERS_MAX + 1).length > PARAMETERS_MAX) return { status: 414, error: 'Request address has too many parameters' };
  const [path = ''] = url.split('?', 1);
  if (Number(headers['content-length']) > FORM_MAX_BYTES && !UPLOAD.test(path)) return { status: 413, error: 'Request body is too large' };
  return null;
}

/**
 * Cuts the User-Agent that Next.js reads: it looks for search engines with an expression that takes time that grows with the square of
 * the length, seconds for 16 kB.
 */
export function cutUserAgent({ headers }: Pick<IncomingMessage, 'headers'>): void {
  const agent = headers['user-agent'];
  if (agent !== undefined && agent.length > USER_AGENT_MAX) headers['user-agent'] = agent.slice(0, USER_AGENT_MAX);
}
