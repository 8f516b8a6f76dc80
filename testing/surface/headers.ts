import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';

/** The folders whose code reads requests. */
const FOLDERS = ['app', 'lib/entry/http', 'lib/identity/keys', 'lib/entry/server'];
/** Headers that Next.js, next-auth and Node.js read themselves. */
const OF_FRAMEWORKS = [
  'connection',
  'expect',
  'if-modified-since',
  'if-none-match',
  'next-action',
  'next-router-prefetch',
  'next-router-segment-prefetch',
  'next-router-state-tree',
  'next-url',
  'purpose',
  'range',
  'rsc',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-http-method-override',
  'x-middleware-subrequest',
];
const READS = [/headers(?:\(\)\))?\??\.(?:get|has)\('([\w-]+)'\)/g, /headers\??\.?\['([\w-]+)'\]/g];
/** Matches the declaration of a variable that contains request headers. The capture group contains the variable's name. */
const HELD = /(\w+)(?:: Headers\b| = await (?:headers|ownHeaders)\(\))/g;

/** Returns all request headers that are read anywhere, in lower case. */
export function listHeaders(): string[] {
  const sources = FOLDERS.flatMap((folder) =>
    readdirSync(join(PROJECT_ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
      .map((name) => readFileSync(join(PROJECT_ROOT, folder, name), 'utf8')),
  );
  const read = sources.flatMap((source) => {
    const held = [...source.matchAll(HELD)].map(([, holder]) => new RegExp(String.raw`\b${holder}\.(?:get|has)\('([\w-]+)'\)`, 'g'));
    return [...READS, ...held].flatMap((pattern) => [...source.matchAll(pattern)].map(([, name = '']) => name));
  });
  return [...new Set([...OF_FRAMEWORKS, 'host', ...read])].sort();
}
