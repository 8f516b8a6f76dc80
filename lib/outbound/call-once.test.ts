import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { testReceiver } from '@/lib/testing/fakes/receiver';
import { ok } from '@/lib/testing/fakes/start-receiver';
import { callOnce } from './call-once';

const receiver = testReceiver();
const call = (url: string, timeoutMs = 2_000) => callOnce(url, { headers: {}, body: 'x', timeoutMs });

test('an answer comes with its status, headers and body', async () => {
  receiver.answer((_request, response) => response.writeHead(418, { 'x-a': '1' }).end('teapot'));
  const answer = await call(receiver.url());
  expect(answer).toMatchObject({ status: 418, headers: { 'x-a': '1' }, error: null });
  expect(Buffer.from(answer.body).toString()).toBe('teapot');
});

test.each([
  ['nobody listens', 'http://127.0.0.1:1/', 'refused'],
  ['there is no such name', 'http://nobody.invalid/', 'name_not_found'],
])('%s: the request certainly never left', async (_name, url, kind) => {
  expect(await call(url)).toMatchObject({ status: null, error: { kind, sent: false } });
});

test('somebody who hangs up, or says nothing, may have got it', async () => {
  receiver.answer((_request, response) => response.destroy());
  expect(await call(receiver.url())).toMatchObject({ status: null, error: { kind: 'reset', sent: true } });
  receiver.answer(() => undefined);
  expect(await call(receiver.url(), 200)).toMatchObject({ status: null, error: { kind: 'timeout', sent: true } });
});

test('an answer that breaks off has a status, and is known to be cut', async () => {
  receiver.answer((_request, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('only this', () => response.destroy());
  });
  const answer = await call(receiver.url());
  expect(answer).toMatchObject({ status: 200, error: { sent: true } });
  expect(Buffer.from(answer.body).toString()).toBe('only this');
  receiver.answer(ok);
});

test('something that is no HTTP may have got it too', async () => {
  const server = createServer((socket) => socket.end('220 mail.example ESMTP\r\n')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  expect(await call(`http://127.0.0.1:${port}/`)).toMatchObject({ status: null, error: { sent: true } });
  server.close();
});
