import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { setEndpoint } from '@/lib/gateway/webhooks/endpoint/set-endpoint';
import { pay } from '@/testing/data/paying';
import { testReceiver } from '@/testing/fakes/receiver';
import { ok } from '@/testing/fakes/start-receiver';
import { makeBill, makeMerchant, testRuntime } from '@/testing/runtime';
import { startDeliveries } from './jobs';

const runtime = testRuntime();
const receiver = testReceiver();

test('a worker delivers the webhooks of an endpoint over one connection, and closes it when it stops', async () => {
  const merchant = await makeMerchant(runtime());
  await setEndpoint(runtime(), merchant.operator('sandbox'), receiver.url());
  const sockets = new Set<Socket>();
  let received = Promise.withResolvers<void>();
  receiver.answer((request, response) => {
    if (response.socket) sockets.add(response.socket);
    ok(request, response);
    response.on('finish', () => received.resolve());
  });
  const settings = { log: runtime().log, name: 'deliveries', idleMs: 10, graceMs: 1_000, concurrency: 4 };
  const worker = startDeliveries(runtime(), settings);
  for (let bill = 0; bill < 3; bill += 1) {
    received = Promise.withResolvers();
    await pay(runtime(), await makeBill(runtime(), merchant, { amount: 100, reference: `ORDER-${bill}` }), 10_000n);
    await received.promise;
  }
  const [socket] = sockets;
  if (!socket) throw new Error('no webhook came');
  expect(sockets.size).toBe(1);
  expect(socket.destroyed).toBe(false);
  const closed = once(socket, 'close');
  const begun = performance.now();
  await worker.stop();
  await closed;
  // If the worker did not close the connection, it would stay open for 3 seconds: the receiver announces that it will close the connection
  // after 5 seconds, and the HTTP client closes it 2 seconds earlier.
  expect(performance.now() - begun).toBeLessThan(2_500);
});
