import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { takesGzip } from '@/lib/entry/http/compress';
import { catchErrors, failureResponse, type RouteHandler } from '@/lib/entry/http/errors';
import { type EnvironmentFinder, hasVersion, pathOf, requestId } from '@/lib/entry/http/request-facts';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';
import type { Settings } from '@/lib/platform/config/settings';
import type { Failure } from '@/lib/platform/core/failure';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Runtime } from '@/lib/platform/runtime/runtime';

type DocsRuntime = Pick<Runtime, 'log'> & {
  readonly settings: Pick<Settings, 'LIVE_BASE_URL' | 'SANDBOX_BASE_URL'>;
  readonly environmentOf: EnvironmentFinder;
};

/**
 * The script inside each page. It moves the focus to the search field when the reader presses `/`, also on a slow line, before the other
 * script is there: what is typed until then is searched later.
 */
export const FIRST_SCRIPT = `document.documentElement.className='js';addEventListener('keydown',function(e){var s=document.getElementById('search');if(s&&e.key==='/'&&!e.ctrlKey&&!e.metaKey&&!/^(INPUT|TEXTAREA)$/.test(e.target.tagName)){e.preventDefault();s.focus()}})`;
const FIRST_HASH = createHash('sha256').update(FIRST_SCRIPT).digest('base64');

/** Pages load their own style, script and search index, and nothing else. */
const POLICY = `default-src 'none'; style-src 'self'; script-src 'self' 'sha256-${FIRST_HASH}'; connect-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`;
const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  vary: 'accept-encoding',
};
/** Addresses of assets contain a hash of their content. Everything else may change with the next version. */
const FOREVER = 'public, max-age=31536000, immutable';
const FOR_MINUTES = 'public, max-age=300';

/** Returns the handler of the documentation for developers: `/docs`, everything below it, and `/llms.txt`. @param folder the built site */
export function docsHandler(folder: string, runtimeOf: () => DocsRuntime): RouteHandler {
  let files: DocsFiles | undefined;
  return async (request) => {
    const runtime = runtimeOf();
    const id = requestId(request.headers);
    const answer = await catchErrors(runtime, id, () => {
      files ??= createDocsFiles(folder, runtime.settings);
      return answerDocs(runtime, files, request, id);
    });
    return answer.ok ? answer.value : failureResponse(answer.error, id);
  };
}

async function answerDocs(runtime: DocsRuntime, files: DocsFiles, request: Request, id: string): Promise<Result<Response, Failure>> {
  const { method, headers } = request;
  if (!runtime.environmentOf(headers)) return fail({ code: 'base_address_unknown' });
  if (method !== 'GET' && method !== 'HEAD') return fail({ code: 'method_not_allowed', detail: method, headers: { allow: 'GET, HEAD' } });
  const path = pathOf(request.url);
  const file = await files.find(fileOf(path));
  if (file) return ok(send(file, request, id, 200));
  const moved = movedTo(path);
  if (moved !== path && (await files.find(fileOf(moved)))) return ok(redirect(moved, id));
  const missing = await files.find(path.startsWith('/docs/sw/') ? 'sw/not-found.html' : 'not-found.html');
  return missing ? ok(send(missing, request, id, 404)) : fail({ code: 'not_found' });
}

/** Returns the path of the file for an address. The address of a page has no `.html` at its end. */
function fileOf(path: string): string {
  const below = path === '/llms.txt' ? 'llms.txt' : path.replace(/^\/docs\/?/, '');
  if (path.endsWith('/') || /(?:^|\/)index$|\.html$/.test(below)) return '';
  if (below === '' || below === 'sw') return `${below}${below && '/'}index.html`;
  return /\.[a-z]+$/.test(below) ? below : `${below}.html`;
}

/** Returns the address that a reader meant by `/docs/`, `/docs/en/errors` or `/docs/errors.html`. */
function movedTo(path: string): string {
  return path
    .replace(/\/+$/, '')
    .replace(/\.html$/, '')
    .replace(/^\/docs\/en(\/|$)/, '/docs$1')
    .replace(/\/index$/, '');
}

function send({ type, bytes, gzipped, tag }: DocsFile, { method, headers, url }: Request, id: string, status: 200 | 404): Response {
  const zip = takesGzip(headers.get('accept-encoding'));
  const etag = `"${tag}${zip ? '-gzip' : ''}"`;
  const about = {
    ...HEADERS,
    'cache-control': status === 404 ? 'no-store' : pathOf(url).startsWith('/docs/assets/') ? FOREVER : FOR_MINUTES,
    'x-request-id': id,
    etag,
  };
  if (status === 200 && hasVersion(headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers: about });
  const content = { 'content-type': type, ...(zip && { 'content-encoding': 'gzip' }) };
  const body = zip ? gzipped : bytes;
  return new Response(method === 'HEAD' ? null : body, {
    status,
    headers: { ...about, ...content, 'content-length': String(body.length) },
  });
}

function redirect(location: string, id: string): Response {
  return new Response(null, { status: 308, headers: { location, 'cache-control': 'public, max-age=300', 'x-request-id': id } });
}

const compressed = promisify(gzip);

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

/** A file of the documentation, ready to be sent. */
interface DocsFile {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly gzipped: Uint8Array<ArrayBuffer>;
  /** The value of the ETag. It changes with the content. */
  readonly tag: string;
}

interface DocsFiles {
  /** Returns a file by its path below the folder. Returns undefined if there is no such file. */
  find(path: string): Promise<DocsFile> | undefined;
}

/**
 * Reads each file of a folder at its first request, and keeps it in memory. Replaces the base addresses in the files by the base addresses
 * of this installation, so that readers can copy the examples.
 */
function createDocsFiles(
  folder: string,
  { LIVE_BASE_URL, SANDBOX_BASE_URL }: Pick<Settings, 'LIVE_BASE_URL' | 'SANDBOX_BASE_URL'>,
): DocsFiles {
  const names: ReadonlySet<string> = new Set(
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/')),
  );
  const origins: Readonly<Record<string, string>> = {
    'http://localhost:3000': LIVE_BASE_URL.origin,
    'http://localhost:3001': SANDBOX_BASE_URL.origin,
  };
  const files = new Map<string, Promise<DocsFile>>();

  async function read(path: string, type: string): Promise<DocsFile> {
    const text = await readFile(join(folder, path), 'utf8');
    const bytes = new TextEncoder().encode(text.replace(/http:\/\/localhost:300[01]\b/g, (origin) => origins[origin] ?? origin));
    const tag = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
    return { type, bytes, gzipped: new Uint8Array(await compressed(bytes)), tag };
  }

  return {
    find(path) {
      const type = TYPES[extname(path)];
      if (type === undefined || !names.has(path)) return undefined;
      const known = files.get(path) ?? read(path, type);
      files.set(path, known);
      return known;
    },
  };
}

/** The documentation for developers, as `npm run build` writes it. */
export const SITE_FOLDER = join(PROJECT_ROOT, '.build', 'site');
