import { once } from 'node:events';
import { createSecureServer } from 'node:http2';
import { createServer, type Server, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { makeCertificate } from '@/testing/fakes/certificate';
import { testReceiver } from '@/testing/fakes/receiver';
import { ok } from '@/testing/fakes/start-receiver';
import { callOnce } from './call-once';

const receiver = testReceiver();
const call = (url: string, timeoutMs = 2_000) => callOnce(url, { headers: {}, body: 'x', timeoutMs });

/** Makes the server listen on a free port of this machine. Returns the port. */
async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
  return address.port;
}

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
  const server = createServer((socket) => socket.end('220 mail.example ESMTP\r\n'));
  const port = await listen(server);
  expect(await call(`http://127.0.0.1:${port}/`)).toMatchObject({ status: null, error: { sent: true } });
  server.close();
});

test('opens a connection of HTTP/1.1 for each call and closes it, even if the server offers HTTP/2 and keeps connections', async () => {
  const { cert, key } = makeCertificate({ name: 'localhost' });
  const versions: string[] = [];
  const closed: Promise<unknown>[] = [];
  const server = createSecureServer({ cert, key, allowHTTP1: true }, (request, response) => {
    versions.push(request.httpVersion);
    response.end('ok');
  });
  server.on('secureConnection', (socket: Socket) => closed.push(once(socket, 'close')));
  const port = await listen(server);
  for (const _ of [1, 2]) {
    const options = { headers: {}, body: 'x', timeoutMs: 2_000, ca: cert };
    expect(await callOnce(`https://localhost:${port}/`, options)).toMatchObject({ status: 200, error: null });
  }
  expect(versions).toEqual(['1.1', '1.1']);
  expect(closed).toHaveLength(2);
  await Promise.all(closed);
  server.close();
});
