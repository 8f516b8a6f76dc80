import { request } from 'node:http';
import { expect, test } from 'vitest';
import { freePorts } from '@/testing/free-ports';
import { startProgram } from '@/testing/process';
import { makeMerchant, TEST_SECRET_KEY, testRuntime } from '@/testing/runtime';

const runtime = testRuntime();

test('after SIGTERM, readyz answers 503, then the port closes and running requests finish', async () => {
  const { id, secret } = await (await makeMerchant(runtime())).key('sandbox');
  const [live = 0, sandbox = 0] = await freePorts(2);
  const { DATABASE_URL } = runtime().settings;
  const web = startProgram(['web'], {
    DATABASE_URL,
    SECRET_KEY: TEST_SECRET_KEY,
    PORT: String(live),
    SANDBOX_PORT: String(sandbox),
    SHUTDOWN_DELAY: '2',
  });
  await web.printed('web is listening');
  const status = async (path: string) => (await fetch(`http://127.0.0.1:${sandbox}${path}`, { headers: { connection: 'close' } })).status;
  expect(await status('/readyz')).toBe(200);

  web.child.kill('SIGTERM');
  await web.printed('web is stopping');
  expect(await status('/readyz')).toBe(503);
  expect(await status('/healthz')).toBe(200);

  // The test sends most of the body of this request after the port has closed.
  const body = JSON.stringify({ amount: 5000, reference: 'BEGUN' });
  const headers = { authorization: `ApiKey ${id}:${secret}`, 'content-type': 'application/json', 'content-length': body.length };
  const begun = request({ host: '127.0.0.1', port: sandbox, path: '/api/v3/bills/create', method: 'POST', headers });
  const answered = new Promise<number | undefined>((resolve, reject) => {
    begun.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
  });
  begun.write(body.slice(0, 5));
  await expect.poll(() => status('/healthz').catch(() => 'closed')).toBe('closed');
  begun.end(body.slice(5));
  expect(await answered).toBe(200);
  expect(await web.exited).toBe(0);
});
