import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, sep } from 'node:path';
import { withoutQuery } from '@/lib/entry/http/request-facts';

const PREFIX = '/_next/static/';
const TYPES: Readonly<Record<string, string>> = { js: 'application/javascript; charset=UTF-8', css: 'text/css; charset=UTF-8' };
/** Matches the coding Brotli in Accept-Encoding. `q=0` forbids it. */
const TAKES_BROTLI = /(?:^|,)\s*br\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[^,]*)?(?:,|$)/i;

type NodeHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * Returns a handler that sends the scripts and styles that the build has compressed with Brotli. `next` gets all other requests: for other
 * files, and of clients without Brotli.
 * @param folder the folder of the static files. The handler knows only the files that are there when it is made.
 */
export function serveCompressed(folder: string, next: NodeHandler): NodeHandler {
  const files = new Map<string, Promise<Buffer | null> | null>();
  const listed = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  for (const name of listed) if (name.endsWith('.br')) files.set(PREFIX + name.slice(0, -'.br'.length).replaceAll(sep, '/'), null);
  return async (request, response) => {
    const path = withoutQuery(request.url ?? '');
    const known = files.get(path);
    if (known === undefined) return next(request, response);
    response.setHeader('vary', 'accept-encoding');
    if (!TAKES_BROTLI.test(request.headers['accept-encoding'] ?? '') || request.headers.range !== undefined) return next(request, response);
    const reading = known ?? readFile(join(folder, `${path.slice(PREFIX.length)}.br`)).catch(() => null);
    files.set(path, reading);
    const body = await reading;
    if (!body) return next(request, response);
    response.writeHead(200, {
      'content-type': TYPES[path.slice(path.lastIndexOf('.') + 1)],
      'content-encoding': 'br',
      'content-length': body.length,
      // Their names contain a hash of their content.
      'cache-control': 'public, max-age=31536000, immutable',
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  };
}
