import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const compressed = promisify(gzip);

/** Matched against one coding of Accept-Encoding; `q=0` refuses it. */
const TAKES_GZIP = /^\s*(gzip|\*)\s*(;\s*q=(?!0(\.0*)?\s*$).*)?$/i;

/**
 * Sends a page as few bytes as we can, whatever stands before us: a slow line pays for each. Only for answers without secrets
 * beside what the caller sent, as their length tells of their contents.
 * @returns the answer in gzip for a caller that takes it, else as it was.
 */
export async function compress(request: Request, response: Response): Promise<Response> {
  if (!response.headers.get('content-type')?.startsWith('text/html')) return response;
  const headers = new Headers(response.headers);
  headers.append('vary', 'accept-encoding');
  const { status } = response;
  if (!(request.headers.get('accept-encoding') ?? '').split(',').some((coding) => TAKES_GZIP.test(coding)))
    return new Response(response.body, { status, headers });
  headers.set('content-encoding', 'gzip');
  return new Response(new Uint8Array(await compressed(await response.arrayBuffer())), { status, headers });
}
