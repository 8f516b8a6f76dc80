import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { createLog } from '@/lib/platform/log/log';
import { docsHandler } from './serve-docs';

const folder = mkdtempSync(join(tmpdir(), 'bili-site-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
for (const path of ['assets', 'sw']) mkdirSync(join(folder, path));
const FILES = {
  'index.html': '<h1>Contents</h1>',
  'sw/index.html': '<h1>Yaliyomo</h1>',
  'errors.html': '<p>http://localhost:3001/api and http://localhost:3000/docs, not http://localhost:30011</p>',
  'errors.md': '# Errors',
  'not-found.html': '<h1>Missing</h1>',
  'sw/not-found.html': '<h1>Haipo</h1>',
  'llms.txt': 'Bili',
  'assets/docs-1.css': 'a{}',
  'secret.env': 'x',
};
for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);

const handler = docsHandler(folder, () => ({
  log: createLog({ level: 'silent', format: 'json', process: 'test' }),
  settings: { LIVE_BASE_URL: new URL('https://pay.example.com'), SANDBOX_BASE_URL: new URL('https://try.example.com') },
  environmentOf: (headers) => (headers.get('x-host') === 'elsewhere' ? undefined : 'live'),
}));
const call = (path: string, init: RequestInit = {}) => handler(new Request(`https://pay.example.com${path}`, init));

test.each([
  ['/docs', 200, 'text/html; charset=utf-8', '<h1>Contents</h1>'],
  ['/docs/sw', 200, 'text/html; charset=utf-8', '<h1>Yaliyomo</h1>'],
  ['/docs/errors.md', 200, 'text/markdown; charset=utf-8', '# Errors'],
  ['/llms.txt', 200, 'text/plain; charset=utf-8', 'Bili'],
  ['/docs/llms.txt', 200, 'text/plain; charset=utf-8', 'Bili'],
  ['/docs/nothing', 404, 'text/html; charset=utf-8', '<h1>Missing</h1>'],
  ['/docs/sw/nothing', 404, 'text/html; charset=utf-8', '<h1>Haipo</h1>'],
  ['/docs/secret.env', 404, 'text/html; charset=utf-8', '<h1>Missing</h1>'],
  ['/docs/%2e%2e/secret.env', 404, 'text/html; charset=utf-8', '<h1>Missing</h1>'],
])('%s is answered with %d', async (path, status, type, text) => {
  const answer = await call(path);
  expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([status, type, text]);
  expect(answer.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'self'; script-src 'self' 'sha256-[\w+/=]+';/,
  );
});

test.each([
  ['/docs/', '/docs'],
  ['/docs/errors/', '/docs/errors'],
  ['/docs/en/errors', '/docs/errors'],
  ['/docs/errors.html', '/docs/errors'],
  ['/docs/sw/index', '/docs/sw'],
  ['/docs/sw/', '/docs/sw'],
])('%s leads to %s', async (path, target) => {
  const answer = await call(path);
  expect([answer.status, answer.headers.get('location')]).toEqual([308, target]);
});

test('the addresses in the pages are those of the installation', async () => {
  const text = await (await call('/docs/errors')).text();
  expect(text).toBe('<p>https://try.example.com/api and https://pay.example.com/docs, not http://localhost:30011</p>');
});

test('a page is compressed, and not sent again while it is unchanged', async () => {
  const headers = { 'accept-encoding': 'br, gzip' };
  const answer = await call('/docs', { headers });
  expect(answer.headers.get('content-encoding')).toBe('gzip');
  expect(gunzipSync(await answer.arrayBuffer()).toString()).toBe('<h1>Contents</h1>');
  const etag = answer.headers.get('etag') ?? '';
  const again = await call('/docs', { headers: { ...headers, 'if-none-match': `W/${etag}` } });
  expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
  expect((await call('/docs', { headers: { 'if-none-match': etag } })).status).toBe(200);
});

test('browsers keep assets, whose addresses change with their content', async () => {
  expect((await call('/docs/assets/docs-1.css')).headers.get('cache-control')).toContain('immutable');
  expect((await call('/docs')).headers.get('cache-control')).toBe('public, max-age=300');
});

test('other methods and unknown hosts are refused, and HEAD has no body', async () => {
  const head = await call('/docs', { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '17', '']);
  const post = await call('/docs', { method: 'POST' });
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  expect((await call('/docs', { headers: { 'x-host': 'elsewhere' } })).status).toBe(421);
});
