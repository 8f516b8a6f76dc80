import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { testReceiver } from '@/lib/testing/fakes/receiver';
import { ok } from '@/lib/testing/fakes/start-receiver';
import { callOnce } from './call-once';

const receiver = testReceiver();
const call = (url: string, timeoutMs = 2_000) => callOnce(url, { headers: {}, body: 'x', timeoutMs });

test('returns the status, headers and body of the answer', async () => {
  receiver.answer((_request, response) => response.writeHead(418, { 'x-a': '1' }).end('teapot'));
  const answer = await call(receiver.url());
  expect(answer).toMatchObject({ status: 418, headers: { 'x-a': '1' }, error: null });
  expect(Buffer.from(answer.body).toString()).toBe('teapot');
});

test.each([
  ['if nobody listens', 'http://127.0.0.1:1/', 'refused'],
  ['if the name does not exist', 'http://nobody.invalid/', 'name_not_found'],
])('reports %s that the request was certainly not sent', async (_name, url, kind) => {
  expect(await call(url)).toMatchObject({ status: null, error: { kind, sent: false } });
});

test('reports that the request may have been sent if the receiver closes the connection or does not answer', async () => {
  receiver.answer((_request, response) => response.destroy());
  expect(await call(receiver.url())).toMatchObject({ status: null, error: { kind: 'reset', sent: true } });
  receiver.answer(() => undefined);
  expect(await call(receiver.url(), 200)).toMatchObject({ status: null, error: { kind: 'timeout', sent: true } });
});

test('returns the status and an error if the body of the answer is cut off', async () => {
  receiver.answer((_request, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('only this', () => response.destroy());
  });
  const answer = await call(receiver.url());
  expect(answer).toMatchObject({ status: 200, error: { sent: true } });
  expect(Buffer.from(answer.body).toString()).toBe('only this');
  receiver.answer(ok);
});

test('reports that the request may have been sent if the answer is not HTTP', async () => {
  const server = createServer((socket) => socket.end('220 mail.example ESMTP\r\n')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  expect(await call(`http://127.0.0.1:${port}/`)).toMatchObject({ status: null, error: { sent: true } });
  server.close();
});
