import { expect, test } from 'vitest';
import { drawingOf } from '@/components/pay/pictures';
import { showPictured } from '@/lib/gateway/receipts/show-receipt';
import { createRecorder } from '@/lib/platform/metrics/create-recorder';
import { createProcessMetrics } from '@/lib/platform/metrics/process-metrics';
import { pictureTag } from '@/lib/platform/pictures/picture-cache';
import { testListener } from '@/testing/fakes/listener';
import { makeBill, makeMerchant, testRuntime } from '@/testing/runtime';

const runtime = testRuntime({ TRUSTED_PROXIES: '127.0.0.1' });
const origin = testListener(runtime);

/** Fills the picture queue with pictures for other addresses of an IP network. Returns a function that empties the queue. */
function fillQueue(network: string): () => Promise<void> {
  let open: (() => void) | undefined;
  const closed = new Promise<void>((resolve) => {
    open = resolve;
  });
  const queue = globalThis.biliWebRuntime?.limits.pictureQueue;
  const waiting = Array.from({ length: 21 }, () => queue?.run(network, () => closed));
  return async () => {
    open?.();
    await Promise.all(waiting);
  };
}

test('an IPv6 network with too many waiting pictures gets no more, and the refusal is counted', async () => {
  const metrics = createProcessMetrics();
  globalThis.biliRecorder = createRecorder(metrics, 'web');
  const bill = await makeBill(runtime(), await makeMerchant(runtime()));
  const empty = fillQueue('2001:db8::/64');
  try {
    const response = await fetch(`${origin()}/pay/picture/${bill}/bill.png`, { headers: { 'x-forwarded-for': '2001:db8::2' } });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    expect(JSON.stringify(await metrics.collect())).toContain('{"value":1,"labels":{"queue":"pictures"}}');
  } finally {
    await empty();
    globalThis.biliRecorder = undefined;
  }
});

test('a picture that a browser still has is not drawn again', async () => {
  const bill = await makeBill(runtime(), await makeMerchant(runtime()));
  const pictured = await showPictured(runtime(), 'sandbox', bill);
  const svg = pictured && drawingOf(pictured, 'bill', 'sw');
  const headers = { 'if-none-match': `"${pictureTag(svg ?? '')}"` };
  const empty = fillQueue('127.0.0.1');
  try {
    expect((await fetch(`${origin()}/pay/picture/${bill}/bill.png?lang=sw`, { headers })).status).toBe(304);
  } finally {
    await empty();
  }
});
