import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { streamText } from './stream-text';

test('streams take turns: no two parts are generated at the same time, and each stream has all its parts in order', async () => {
  let generating = 0;
  let most = 0;
  async function* parts(name: string) {
    for (let part = 1; part <= 5; part += 1) {
      generating += 1;
      most = Math.max(most, generating);
      await nextTurn();
      generating -= 1;
      yield `${name}${part} `;
    }
  }
  const texts = await Promise.all(['a', 'b', 'c'].map((name) => new Response(streamText(parts(name))).text()));
  expect(texts).toEqual(['a', 'b', 'c'].map((name) => [1, 2, 3, 4, 5].map((part) => `${name}${part} `).join('')));
  expect(most).toBe(1);
});

test('a stream that fails does not block the others', async () => {
  // biome-ignore lint/correctness/useYield: it fails before its first part.
  async function* failing(): AsyncGenerator<string> {
    throw new Error('the database is gone');
  }
  async function* working() {
    yield 'complete';
  }
  const [failed, worked] = await Promise.allSettled([failing(), working()].map((parts) => new Response(streamText(parts)).text()));
  expect(failed).toMatchObject({ status: 'rejected' });
  expect(worked).toEqual({ status: 'fulfilled', value: 'complete' });
});

test('a stream whose reader leaves stops its generator and does not block the others', async () => {
  let stopped = false;
  async function* endless() {
    try {
      for (;;) yield 'part ';
    } finally {
      stopped = true;
    }
  }
  async function* working() {
    yield 'complete';
  }
  const reader = streamText(endless()).getReader();
  await reader.read();
  await reader.cancel();
  expect(stopped).toBe(true);
  expect(await new Response(streamText(working())).text()).toBe('complete');
});
