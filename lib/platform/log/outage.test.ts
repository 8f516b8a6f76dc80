import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findRoute } from '@/app/direct-routes';
import { createListener } from '@/lib/entry/http/listener';
import { buildRuntime } from '@/lib/entry/processes/process-runtime';
import { forWeb, type WebRuntime } from '@/lib/entry/server/web-runtime';
import { startPump } from '@/lib/entry/worker/pump';
import { startTcpProxy, type TcpProxy } from '@/testing/fakes/tcp-proxy';
import { collectLines } from '@/testing/log-lines';
import { makeMerchant, testRuntime } from '@/testing/runtime';

const runtime = testRuntime();
const { destination, lines } = collectLines();
const REQUESTS = 30;

let proxy: TcpProxy;
let web: WebRuntime;
let server: Server;
let origin = '';
beforeAll(async () => {
  const { settings, secrets } = runtime();
  proxy = await startTcpProxy(Number(new URL(settings.DATABASE_URL).port));
  const connected = { ...settings, LOG_LEVEL: 'info', DATABASE_URL: proxy.throughProxy(settings.DATABASE_URL) } as const;
  web = { ...forWeb(buildRuntime({ settings: connected, process: 'test', secrets, destination })), environmentOf: () => 'sandbox' };
  globalThis.biliWebRuntime = web;
  server = createServer(createListener(web, findRoute, async (_, response) => void response.writeHead(404).end()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});
afterAll(async () => {
  globalThis.biliWebRuntime = undefined;
  server.close();
  server.closeAllConnections();
  await web.db.close();
  proxy.close();
});

test('logs an outage as two lines without a stack, however many requests and loops fail', async () => {
  const { id, secret } = await (await makeMerchant(runtime())).key('sandbox');
  const headers = { authorization: `ApiKey ${id}:${secret}` };
  const get = async () => (await fetch(`${origin}/api/v3/bills/00000000-0000-7000-8000-000000000000`, { headers })).status;
  expect(await get()).toBe(404);
  const pump = startPump({
    name: 'test',
    concurrency: 1,
    idleMs: 20,
    graceMs: 0,
    log: web.log,
    claim: () => web.db.query({ text: 'SELECT 1 WHERE false' }),
    work: async () => undefined,
  });

  await proxy.accept('refuse');
  proxy.reset();
  const answers = await Promise.all(Array.from({ length: REQUESTS }, get));
  expect(answers).toEqual(answers.map(() => 503));
  await proxy.accept('pass');
  const back = () => lines.find(({ msg }) => msg === 'the database is available again');
  await expect.poll(back).toBeDefined();
  await pump.stop();

  const written = lines.filter(({ level }) => level !== 'info').map(({ level, msg }) => ({ level, msg }));
  expect(written).toEqual([
    { level: 'error', msg: 'the database is unavailable' },
    { level: 'warn', msg: 'the database is available again' },
  ]);
  expect(back()).toMatchObject({ seconds: expect.any(Number), failed: { requests: REQUESTS, loops: expect.any(Number) } });
  expect(JSON.stringify(lines)).not.toContain('"stack"');
  expect(await get()).toBe(404);
});
