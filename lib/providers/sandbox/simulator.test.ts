import { expect, test } from 'vitest';
import { SECOND_MS } from '@/lib/core/clock';
import { testRuntime } from '@/lib/testing/runtime';
import { startSimulator } from './simulator';

const runtime = testRuntime();
const REFERENCE = 'A'.repeat(20);

test('a callback that is not accepted is sent three times, and status queries show the payment meanwhile', async () => {
  const simulator = await startSimulator({ ...runtime(), callbackKey: runtime().secrets.key('sandbox-provider') });
  const status = async () => (await (await fetch(`${simulator.url}/v1/prompts/${REFERENCE}`)).json()).status;
  const prompt = { reference: REFERENCE, mobile: '255712345001', amount: 5000, callbackUrl: 'http://127.0.0.1:9/' };
  await fetch(`${simulator.url}/v1/prompts`, { method: 'POST', body: JSON.stringify(prompt) });
  expect(await status()).toBe('PENDING');
  runtime().advance(2 * SECOND_MS);
  for (const called of [1, 0]) {
    expect(await simulator.announceDue(1)).toBe(called);
    expect(await status()).toBe('PAID');
  }
  runtime().advance(2 * SECOND_MS);
  expect(await simulator.announceDue(1)).toBe(1);
  runtime().advance(2 * SECOND_MS);
  expect(await simulator.announceDue(1)).toBe(1);
  runtime().advance(2 * SECOND_MS);
  expect(await simulator.announceDue(1)).toBe(0);
  await simulator.stop();
});
