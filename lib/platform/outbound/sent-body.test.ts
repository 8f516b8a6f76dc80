import { expect, test } from 'vitest';
import { rawServers } from '@/testing/fakes/raw-server';
import { testReceiver } from '@/testing/fakes/receiver';
import { callOnce } from './call-once';

const receiver = testReceiver();
const { serve } = rawServers();
const vet = { rules: { standardPortsOnly: true, local: false, networks: ['127.0.0.1'] } };
const PIECES = ['{"bill":', '{"id":"1"}', '}'].map((piece) => Buffer.from(piece));

async function* pieces(): AsyncGenerator<Uint8Array> {
  for (const piece of PIECES) {
    await new Promise(setImmediate);
    yield piece;
  }
}

/** A body whose second piece never comes. */
async function* stalled(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('{');
  await new Promise(() => undefined);
}

test('a body in pieces arrives complete, with content-length or in chunks', async () => {
  receiver.received.length = 0;
  const headers = { 'content-length': String(Buffer.concat(PIECES).length) };
  expect(await callOnce(receiver.url(), { headers, body: pieces(), timeoutMs: 5_000, vet })).toMatchObject({ status: 200, error: null });
  expect(await callOnce(receiver.url(), { headers: {}, body: pieces(), timeoutMs: 5_000, vet })).toMatchObject({ status: 200 });
  expect(await callOnce(receiver.url(), { headers: {}, body: pieces(), timeoutMs: 5_000 })).toMatchObject({ status: 200 });
  expect(receiver.received.map(({ body }) => body)).toEqual(Array.from({ length: 3 }, () => '{"bill":{"id":"1"}}'));
  expect(receiver.received[0]?.headers).toMatchObject(headers);
  expect(receiver.received[0]?.headers).not.toHaveProperty('transfer-encoding');
  expect(receiver.received[1]?.headers).toMatchObject({ 'transfer-encoding': 'chunked' });
});

test('the call ends at the deadline if the source of the body stalls', async () => {
  const host = await serve((socket) => socket.resume());
  const answer = await callOnce(`http://${host}/`, { headers: {}, body: stalled(), timeoutMs: 200, vet });
  expect(answer).toMatchObject({ status: null, error: { kind: 'timeout', sent: true, data: { stage: 'answer' } } });
});

test('a body is released if the connection is refused or forbidden', async () => {
  const answer = await callOnce('http://127.0.0.1:1/', { headers: {}, body: pieces(), timeoutMs: 5_000, vet });
  expect(answer).toMatchObject({ status: null, error: { kind: 'refused', sent: false } });
  const forbidden = await callOnce('http://10.0.0.1/', { headers: {}, body: pieces(), timeoutMs: 5_000, vet });
  expect(forbidden).toMatchObject({ error: { kind: 'forbidden', sent: false } });
});

test('an error in the source of the body ends the call', async () => {
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('{');
    throw new Error('no more');
  }
  const host = await serve((socket) => socket.resume());
  const answer = await callOnce(`http://${host}/`, { headers: {}, body: broken(), timeoutMs: 5_000, vet });
  expect(answer).toMatchObject({ status: null, error: { kind: 'other', detail: 'no more' } });
});

test.each(['content-length: 2\r\n\r\nok', 'connection: close\r\n\r\nok'])(
  'accepts a complete answer that comes before the body was sent completely: %j',
  async (rest) => {
    const host = await serve((socket) => {
      socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\n${rest}`));
    });
    const headers = { 'content-length': '1000' };
    const answer = await callOnce(`http://${host}/`, { headers, body: stalled(), timeoutMs: 2_000, vet });
    expect(answer).toMatchObject({ status: 200, error: null });
    expect(Buffer.from(answer.body).toString()).toBe('ok');
  },
);

test('accepts an answer of a server that does not read a large body', async () => {
  const host = await serve((socket) => {
    socket.once('data', () => {
      socket.pause();
      socket.end('HTTP/1.1 202 Accepted\r\ncontent-length: 2\r\n\r\nok');
    });
  });
  const answer = await callOnce(`http://${host}/`, { headers: {}, body: Buffer.alloc(32 * 1024 ** 2), timeoutMs: 2_000, vet });
  expect(answer).toMatchObject({ status: 202, error: null });
});
