import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveCompressed } from './assets';

let folder: string;
let server: Server;
let base: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bili-assets-'));
  await mkdir(join(folder, 'chunks'));
  await writeFile(join(folder, 'chunks', 'page.js'), 'let a = 1;');
  await writeFile(join(folder, 'chunks', 'page.js.br'), brotliCompressSync('let a = 1;'));
  const handler = serveCompressed(folder, async (_, response) => void response.writeHead(299).end('next'));
  server = createServer((request, response) => void handler(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true, force: true });
});

const get = (path: string, accepted: string) => fetch(base + path, { headers: { 'accept-encoding': accepted } });

test('a script is sent compressed to a client that accepts Brotli, and kept for ever', async () => {
  const answer = await get('/_next/static/chunks/page.js?v=1', 'gzip, deflate, br;q=0.8');
  expect([answer.status, await answer.text()]).toEqual([200, 'let a = 1;']);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/javascript; charset=UTF-8',
    'content-encoding': 'br',
    vary: 'accept-encoding',
    'cache-control': 'public, max-age=31536000, immutable',
  });
});

test('Next.js answers clients without Brotli, and all other paths', async () => {
  const page = '/_next/static/chunks/page.js';
  for (const accepted of ['gzip', 'br;q=0', 'brx', 'br;q=0.0, gzip']) expect((await get(page, accepted)).status, accepted).toBe(299);
  for (const path of [`${page}.br`, '/_next/static/chunks/none.js', '/_next/static/../page.js', '/']) {
    expect((await get(path, 'br')).status, path).toBe(299);
  }
});
