/** The beginning of the name of each cache. The path of the counter follows, and the id of the member who may see the cache. */
const CACHE_PREFIX = 'bili-counter-';

/** The message by which the page asks the service worker to cache the shell: the page without bills, and the files that it loads. */
export interface KeepShell {
  readonly kind: 'keep';
  readonly member: string;
  readonly shell: string;
  readonly files: readonly string[];
}

/**
 * Returns the script of the service worker. The worker caches the shell of the counter with its scripts and styles, and nothing else:
 * no bills, and no answers of data routes. It shows the cached shell only if the server does not answer. Each message `keep` removes the
 * caches of other members, and files of earlier versions. Signing out removes all caches: its answer has the header Clear-Site-Data.
 * @param page the path of the counter.
 */
export function counterWorker(page: string): string {
  return `'use strict';
const PAGE = ${JSON.stringify(page)};
const PREFIX = ${JSON.stringify(CACHE_PREFIX)};
const NETWORK_MS = 8000;

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('message', (event) => {
  if (event.data && event.data.kind === 'keep') event.waitUntil(keep(event.data));
});

async function keep({ member, shell, files }) {
  const answer = await fetch(shell, { cache: 'no-store' });
  if (!answer.ok || answer.redirected) return;
  const name = PREFIX + PAGE + '-' + member;
  for (const other of await caches.keys()) {
    if (other.startsWith(PREFIX + PAGE + '-') && other !== name) await caches.delete(other);
  }
  const cache = await caches.open(name);
  const wanted = new Set(files.filter(isFile).map((file) => new URL(file, self.location.href).href));
  for (const request of await cache.keys()) if (isFile(request.url) && !wanted.has(request.url)) await cache.delete(request);
  for (const file of wanted) if (!(await cache.match(file))) await cache.add(file);
  await cache.put(PAGE, answer);
}

function isFile(address) {
  const url = new URL(address, self.location.href);
  return url.origin === self.location.origin && url.pathname.startsWith('/_next/static/');
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET') return;
  const url = new URL(request.url);
  if (request.mode === 'navigate' && url.pathname === PAGE) event.respondWith(open(request));
  else if (isFile(request.url)) event.respondWith(file(request));
});

async function open(request) {
  try {
    return await fetch(request, { signal: AbortSignal.timeout(NETWORK_MS) });
  } catch (error) {
    const kept = await caches.match(PAGE);
    if (!kept) throw error;
    return kept;
  }
}

async function file(request) {
  return (await caches.match(request)) ?? fetch(request);
}
`;
}
