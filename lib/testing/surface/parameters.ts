import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { auditQuery } from '@/app/(dashboard)/m/[merchant]/[environment]/audit/query';
import { readExportOptions } from '@/lib/bills/export/export-columns';
import { parseBillQuery } from '@/lib/bills/list/parse-filter';
import { PROJECT_ROOT } from '@/lib/config/project-root';
import { feedQuerySchema } from '@/lib/webhooks/feed/feed-schema';
import { takeDeliveryQuery } from '@/lib/webhooks/log/delivery-query';

const APP = join(PROJECT_ROOT, 'app');

/** Remembers the names that a reader of a query asks for. */
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
/** Components and functions that a query is passed to, with the parameters that they read. */
const READERS: Readonly<Record<string, readonly string[]>> = {
  auditQuery: record((query) => auditQuery((name) => query.get(name))),
  MailPage: ['sent', 'until'],
  parseBillQuery: billQuery,
  readExportOptions: record(readExportOptions),
  takeDeliveryQuery: record((query) => takeDeliveryQuery((name) => query.get(name))),
};
/** Parameters of routes that read theirs elsewhere. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  'api/v3/events/route.ts': Object.keys(feedQuerySchema.shape),
  // Those that next-auth itself reads.
  'api/auth/[...nextauth]/route.ts': ['callbackUrl', 'csrfToken', 'email', 'error', 'json', 'password'],
};

/** What a variable is that holds a query. */
const HOLDERS = [
  /const (\w+) = (?:await searchParams|new URL\(request\.url\)\.searchParams|queryOf\(request\.url\))/,
  /(\w+): (?:Awaited<PageProps\['searchParams'\]>|URLSearchParams)/,
];
const INLINE = String.raw`\(await searchParams\)|await searchParams(?!\)\.)|new URL\(request\.url\)\.searchParams`;

export interface Parameter {
  readonly name: string;
  /** The function that reads it, where that reads for several pages; else null. */
  readonly reader: string | null;
}

/**
 * @returns the parameters that a page or route reads from its address; of a route also those that it reads from a form. Throws if the
 *   source passes a query to something that this function does not know, so that no parameter is left out unnoticed.
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

/** @returns a page alone, for what else it has are components; a route and the modules beside it. */
function modulesOf(file: string): string[] {
  const folder = dirname(file);
  const beside = readdirSync(join(APP, folder)).filter((name) => /\.tsx?$/.test(name) && !/^(?:page|route|actions)\./.test(name));
  return [file, ...(file.endsWith('page.tsx') ? [] : beside.map((name) => join(folder, name)))];
}

/** @returns the parameters that a module's text reads by their names, and the functions and components that it passes a query to. */
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
      ...all(String.raw`formText\(form, '(\w+)'\)`),
    ],
    readers: [
      ...all(String.raw`(\w+)\((?:queryValues\()?(?:\w+, )*${query}[,)]`),
      ...all(String.raw`(\w+)\(\(name\) => [^\n]*${query}(?:\[name\]|\.get\(name\))`),
      ...all(String.raw`<([A-Z]\w+)(?:(?!<[A-Z])[^])*?=\{${query}\}`),
    ],
  };
}
