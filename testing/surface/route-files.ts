import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';

const APP = join(PROJECT_ROOT, 'app');
const ROUTE_FILE = /\/?(page\.tsx|(?:route|direct)\.tsx?)$/;

/** Routes of the listener whose handlers are functions of lib, so that they have no file of their own. They are named like the others. */
const WITHOUT_FILE = [
  'api/v1/[[...path]]',
  'api/v2/[[...path]]',
  'api/v3/[[...path]]',
  'api/v3/openapi.json',
  'docs/[[...path]]',
  'healthz',
  'llms.txt',
  'pay/logo/[[...path]]',
  'readyz',
];

/**
 * Returns all pages and routes, as files below app. Next.js serves those named `page.tsx` and `route.ts`. The listener serves those named
 * `direct`: files, the declared routes of the API, and the routes of `app/direct-routes.ts` whose handlers are in lib.
 */
export function listRouteFiles(): string[] {
  const files = readdirSync(APP, { recursive: true, encoding: 'utf8' }).filter((name) =>
    new RegExp(`(^|/)${ROUTE_FILE.source}`).test(name),
  );
  // A path of the API may have a route for each method.
  return [...files, ...[...new Set(listApiPaths()), ...WITHOUT_FILE].map((path) => `${path}/direct.ts`)].sort();
}

/** Returns the paths that the declarations of API routes contain, for example `api/v3/bills/[id]`. */
function listApiPaths(): string[] {
  const sources = ['api/v2', 'api/v3'].flatMap((folder) =>
    readdirSync(join(APP, folder)).map((name) => readFileSync(join(APP, folder, name), 'utf8')),
  );
  return sources
    .flatMap((source) => [...source.matchAll(/ path: '\/(api\/v[23]\/[^']+)'/g)])
    .map(([, path = '']) => path.replace(/:(\w+)/g, '[$1]'));
}

/** Returns files that Next.js would run before every request. There should be none. */
export function listMiddleware(): string[] {
  return readdirSync(PROJECT_ROOT).filter((name) => /^(proxy|middleware)\.(ts|js|mjs)$/.test(name));
}

/** Returns the files of `listRouteFiles` that show a page to a person. */
export function listPages(): string[] {
  return listRouteFiles().filter((file) => file.endsWith('.tsx') || file.startsWith('docs/'));
}

/** Returns the file of the page or route that answers a path. */
export function routeOf(path: string, files: readonly string[] = listRouteFiles()): string | undefined {
  const matches = (file: string) => {
    const pattern = addressPattern(file)
      .replace(/\/\[\[\.{3}\w+\]\]/, '(/.*)?')
      .replace(/\[\.{3}\w+\]/, '.*')
      .replace(/\[\w+\]/g, '[^/]+');
    return new RegExp(`^/${pattern}$`).test(path);
  };
  const parameters = (file: string) => file.split('[').length;
  // A segment without a parameter takes precedence, as in Next.js: `bills/new` is not a bill.
  return files.filter(matches).sort((one, other) => parameters(one) - parameters(other))[0];
}

/** Returns the URL pattern of a page or route, for example `m/[merchant]/[environment]/bills`. */
export function addressPattern(file: string): string {
  return file.replace(ROUTE_FILE, '').replace(/\(\w+\)\//g, '');
}
