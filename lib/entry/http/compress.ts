import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { SECOND_MS } from '@/lib/platform/core/clock';
import { createFairQueue } from '@/lib/platform/queues/fair-queue';

const compressed = promisify(gzip);

/** Compression uses two of libuv's four threads at most. Password hashes, files and new connections need the others. */
const queue = createFairQueue({ concurrency: 2, waitingOfOne: 100, waiting: 100, waitMs: SECOND_MS });

/** Matches one coding of Accept-Encoding that allows gzip. `q=0` forbids it. */
const TAKES_GZIP = /^\s*(gzip|\*)\s*(;\s*q=(?!0(\.0*)?\s*$).*)?$/i;

/** Returns whether a caller accepts gzip. @param accepted the header Accept-Encoding */
export function takesGzip(accepted: string | null): boolean {
  return (accepted ?? '').split(',').some((coding) => TAKES_GZIP.test(coding));
}

/**
 * Compresses an HTML page or a public JSON document with gzip if the caller accepts gzip. Customers on slow mobile networks pay for each
 * byte, and the operator's proxy may not compress. A response that already has a Vary header is returned unchanged. If very many responses wait to
 * be compressed, further ones are not compressed. Do not use this for a
 * page that contains both a secret and input of the caller: the compressed length would reveal the secret (BREACH).
 */
export async function compress(request: Request, response: Response): Promise<Response> {
  if (response.headers.has('vary')) return response;
  const type = response.headers.get('content-type') ?? '';
  const isPublicJson = type.startsWith('application/json') && response.headers.get('cache-control')?.startsWith('public');
  if (!type.startsWith('text/html') && !isPublicJson) return response;
  const headers = new Headers(response.headers);
  headers.append('vary', 'accept-encoding');
  const { status } = response;
  if (!takesGzip(request.headers.get('accept-encoding'))) return new Response(response.body, { status, headers });
  const body = await response.arrayBuffer();
  const gzipped = await queue.run('page', () => compressed(body));
  if (!gzipped) return new Response(body, { status, headers });
  headers.set('content-encoding', 'gzip');
  return new Response(new Uint8Array(gzipped), { status, headers });
}
