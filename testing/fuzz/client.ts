import { Agent, request } from 'node:http';
import type { HttpRequest } from './field';

export interface Answer {
  readonly status: number;
  /** The target of a redirect, or empty. */
  readonly location: string;
  readonly cookies: readonly string[];
}

/** The maximum size of an answer's headers. Large, because some redirects repeat the input. */
const HEADERS_MAX_BYTES = 1024 * 1024;
/** One connection, so that requests run one after the other. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/**
 * Sends a request and reads the whole answer. If the server closes a new connection, it has refused a body that is too large, and the
 * returned status is 413. If the server closes a reused connection, the reason may be an earlier request, so this function sends the
 * request again.
 */
export async function send(ports: Readonly<Record<'live' | 'sandbox', number>>, sent: HttpRequest): Promise<Answer> {
  const { method, path, headers, body, environment = 'live' } = sent;
  const answered = Promise.withResolvers<Answer>();
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const outgoing = request(
    {
      agent,
      maxHeaderSize: HEADERS_MAX_BYTES,
      host: '127.0.0.1',
      port: ports[environment],
      method,
      path,
      headers: { ...headers, ...length },
    },
    (incoming) => {
      const { statusCode: status = 0, headers: got } = incoming;
      // Next.js puts the target of an action's redirect into its own header.
      const location = got.location ?? String(got['x-action-redirect'] ?? '');
      incoming.resume().once('close', () => answered.resolve({ status, location, cookies: got['set-cookie'] ?? [] }));
    },
  );
  outgoing.once('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'ECONNRESET') answered.reject(error);
    else if (outgoing.reusedSocket) answered.resolve(send(ports, sent));
    else answered.resolve({ status: 413, location: '', cookies: [] });
  });
  outgoing.end(body);
  return answered.promise;
}

/** Returns whether a request was refused because of its size. */
export function isTooLarge({ status, location }: Answer): boolean {
  return status === 413 || status === 431 || location.includes('too_large');
}
