import { once } from 'node:events';
import { createServer } from 'node:https';
import tls from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeCertificate } from '@/testing/fakes/certificate';
import { testNameServer } from '@/testing/fakes/name-server';
import { testReceiver } from '@/testing/fakes/receiver';
import { callOnce } from './call-once';
import { createNameServers } from './resolve-name';

const DELAY_MS = 60;
const names = testNameServer();
const receiver = testReceiver();
const certificate = makeCertificate({ name: 'shop.test' });
const server = createServer(certificate, (_request, response) => {
  setTimeout(() => response.end('safe'), DELAY_MS);
});
const trusted = tls.getCACertificates('default');
let port = 0;
beforeAll(async () => {
  tls.setDefaultCACertificates([certificate.cert]);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  port = typeof address === 'object' ? (address?.port ?? 0) : 0;
});
afterAll(() => {
  tls.setDefaultCACertificates(trusted);
  server.close();
});

const vet = (networks: string[]) => ({
  rules: { standardPortsOnly: true, local: false, networks },
  resolve: createNameServers([names.address()]).resolve,
});
const call = (url: string, networks = ['127.0.0.1']) => callOnce(url, { headers: {}, body: 'x', timeoutMs: 5_000, vet: vet(networks) });

test('measures each step of a call over TLS, and their sum is at most the total', async () => {
  names.answer('shop.test', ['127.0.0.1']);
  const { status, trace } = await call(`https://shop.test:${port}/`);
  expect(status).toBe(200);
  const { address, totalMs, ...steps } = trace;
  expect(address).toBe('127.0.0.1');
  const numbers = Object.values(steps).map((ms) => ms ?? -1);
  expect(numbers).toHaveLength(4);
  for (const ms of [...numbers, totalMs]) expect(ms).toSatisfy((value: number) => Number.isInteger(value) && value >= 0);
  // Timers may fire a millisecond early.
  expect(trace.firstByteMs).toBeGreaterThanOrEqual(DELAY_MS - 1);
  expect(numbers.reduce((sum, ms) => sum + ms)).toBeLessThanOrEqual(totalMs);
});

test('an IP address has no DNS step, and plain http has no TLS step', async () => {
  const { trace } = await call(receiver.url());
  expect(trace).toMatchObject({ address: '127.0.0.1', dnsMs: null, tlsMs: null });
  expect(trace).toMatchObject({ connectMs: expect.any(Number), firstByteMs: expect.any(Number) });
});

test('names the address that answered, or the last one that was tried', async () => {
  names.answer('shop.test', ['127.0.0.2', '127.0.0.1']);
  const { status, trace } = await call(`https://shop.test:${port}/`, ['127.0.0.0/8']);
  expect(status).toBe(200);
  expect(trace.address).toBe('127.0.0.1');
  names.answer('gone.test', ['127.0.0.1', '::1']);
  const refused = await call('https://gone.test:1/', ['127.0.0.1', '::1']);
  expect(refused).toMatchObject({ error: { kind: 'refused', sent: false }, trace: { address: '::1', connectMs: null } });
});

test('never tries a forbidden address', async () => {
  names.answer('shop.test', ['10.0.0.1']);
  expect(await call(`https://shop.test:${port}/`)).toMatchObject({
    error: { kind: 'forbidden' },
    trace: { address: null, dnsMs: expect.any(Number), connectMs: null, totalMs: expect.any(Number) },
  });
});

test('only the total time of a call without `vet` is known', async () => {
  const { trace } = await callOnce(receiver.url(), { headers: {}, timeoutMs: 5_000 });
  expect(trace).toEqual({ address: null, dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: expect.any(Number) });
});
