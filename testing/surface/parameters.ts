import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { auditQuery } from '@/app/(dashboard)/m/[merchant]/[environment]/audit/query';
import { parseBillQuery } from '@/lib/backoffice/bill-list/bill-query';
import { deliveryQuery } from '@/lib/backoffice/delivery-log/delivery-query';
import { readExportOptions, readSelectedIds } from '@/lib/backoffice/export/export-columns';
import { requestQuery } from '@/lib/backoffice/requests/request-query';
import { billsQuerySchema } from '@/lib/entry/api/list-merchant-bills';
import { chosenLanguage } from '@/lib/entry/http/pay-device';
import { feedQuerySchema } from '@/lib/gateway/webhooks/feed/feed-schema';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';

const APP = join(PROJECT_ROOT, 'app');

/** A query that records the names of the parameters that a function reads from it. */
class Recorder extends URLSearchParams {
  readonly names = new Set<string>();

  override get(name: string): null {
    this.names.add(name);
    return null;
  }

  override getAll(name: string): string[] {
    this.names.add(name);
    return [];
  }
}

function record(read: (query: Recorder) => unknown): string[] {
  const query = new Recorder();
  read(query);
  return [...query.names];
}

const billQuery = record((query) => {
  const values = new Proxy({}, { get: (_, name) => (typeof name === 'string' ? (query.get(name) ?? undefined) : undefined) });
  return parseBillQuery(values);
});
/** Components and functions that receive a query, with the parameters that they read. */
const READERS: Readonly<Record<string, readonly string[]>> = {
  auditQuery: record((query) => auditQuery((name) => query.get(name))),
  chosenLanguage: record((query) => chosenLanguage(query, new Headers(), new URL('http://localhost'))),
  wantedPath: ['callbackUrl'],
  parseBillQuery: billQuery,
  readExportOptions: record((query) => readExportOptions(query, 'sw')),
  readSelectedIds: record(readSelectedIds),
  deliveryQuery: record((query) => deliveryQuery((name) => query.get(name))),
  requestQuery: record((query) => requestQuery((name) => query.get(name))),
};
/** Parameters of a route that are read outside the modules of the route, by route. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  'api/v3/bills/direct.ts': Object.keys(billsQuerySchema.shape),
  'api/v3/events/direct.ts': Object.keys(feedQuerySchema.shape),
  // Read by `publicPage`.
  'p/[[...path]]/direct.ts': ['lang', 'show'],
  'phone/[[...path]]/direct.tsx': ['lang'],
  'verify/direct.tsx': ['code', 'lang'],
  // The address of every page for guests may have `lang`, which `guestPage` reads.
  '(auth)/sign-in/direct.tsx': ['callbackUrl', 'lang'],
  '(auth)/sign-in/code/direct.tsx': ['callbackUrl'],
  '(auth)/sign-in/pin/direct.tsx': ['callbackUrl'],
  '(auth)/forgot/direct.tsx': ['sent', 'until'],
  '(auth)/sign-up/direct.tsx': ['sent', 'until'],
  // Read by next-auth itself.
  'api/auth/[...nextauth]/route.ts': ['callbackUrl', 'csrfToken', 'email', 'error', 'json', 'password'],
};

/** Match the declaration of a variable that contains a query. The capture group contains the variable's name. */
const HOLDERS = [
  /const (\w+) = (?:await searchParams|new URL\(request\.url\)\.searchParams|queryOf\(request\.url\))/,
  /(\w+): (?:Awaited<PageProps\['searchParams'\]>|URLSearchParams)/,
];
const INLINE = String.raw`\(await searchParams\)|await searchParams(?!\)\.)|new URL\(request\.url\)\.searchParams`;

export interface Parameter {
  readonly name: string;
  /** The function that reads the parameter, if several pages use this function. Otherwise null. */
  readonly reader: string | null;
}

/**
 * Returns the query parameters that a page or route reads, and for routes also the form fields. Throws if the source passes a query to an
 * unknown function, so that no parameter is missed.
 */
export function parametersOf(file: string): Parameter[] {
  const modules = modulesOf(file).map((path) => readFileSync(join(APP, path), 'utf8'));
  const found = new Map<string, string | null>((ELSEWHERE[file] ?? []).map((name) => [name, null]));
  for (const { names, readers } of modules.map(readsOf)) {
    for (const reader of readers) {
      const local = modules.some((source) => new RegExp(String.raw`function ${reader}\b`).test(source));
      const fields = local ? [] : READERS[reader];
      if (!fields) throw new Error(`${file} passes its query to ${reader}: add to READERS which parameters that reads`);
      for (const name of fields) found.set(name, reader);
    }
    for (const name of names) found.set(name, null);
  }
  return [...found].map(([name, reader]) => ({ name, reader })).sort((a, b) => a.name.localeCompare(b.name));
}

/** Returns the sources of a page, or of a route with the modules beside it. */
function modulesOf(file: string): string[] {
  // The handlers of some routes of the listener are in lib.
  if (!existsSync(join(APP, file))) return [];
  const folder = dirname(file);
  const beside = readdirSync(join(APP, folder)).filter((name) => /\.tsx?$/.test(name) && !/^(?:page|route|direct|actions)\./.test(name));
  return [file, ...(file.endsWith('page.tsx') ? [] : beside.map((name) => join(folder, name)))];
}

/** Returns the parameters that a module reads by name, and the functions and components to which it passes a query. */
export function readsOf(source: string): { readonly names: readonly string[]; readonly readers: readonly string[] } {
  const all = (pattern: RegExp | string) => [...source.matchAll(new RegExp(pattern, 'g'))].map(([, name = '']) => name);
  const holders = HOLDERS.flatMap(all).map((name) => String.raw`\b${name}\b`);
  const query = `(?:${[INLINE, ...holders].join('|')})`;
  const destructured = all(String.raw`\{([^{}]*)\} = await searchParams`).flatMap((names) => names.split(','));
  return {
    names: [
      ...destructured.map((name) => name.split(':')[0]?.trim() ?? ''),
      ...all(String.raw`${query}\.(?!get\b|getAll\b|has\b)(\w+)`),
      ...all(String.raw`(?<!headers|cookies\(\)\))\??\.(?:get|getAll|has)\('(\w+)'\)`),
    ],
    readers: [
      ...all(String.raw`(\w+)\((?:queryValues\()?(?:\w+, )*${query}[,)]`),
      ...all(String.raw`(\w+)\(\(name\) => [^\n]*${query}(?:\[name\]|\.get\(name\))`),
      ...all(String.raw`<([A-Z]\w+)(?:(?!<[A-Z])[^])*?=\{${query}\}`),
    ],
  };
}
