import { once } from 'node:events';
import { cp, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Claim, claimInstance, isClaim } from './instance';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'bili-instance-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

async function claim(holder: 'start' | 'command'): Promise<Claim> {
  const claimed = await claimInstance(dataDir, holder);
  if (!isClaim(claimed)) throw new Error('somebody else holds it');
  return claimed;
}

test('one start owns a folder until it releases it', async () => {
  const first = await claim('start');
  expect(await claimInstance(dataDir, 'start')).toMatchObject({ holder: 'start', pid: process.pid });
  await first.release();
  await (await claim('start')).release();
  expect(await readdir(dataDir)).toEqual([]);
});

test('an owner that does not answer but is alive stays the owner', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const address = silent.address();
  const port = typeof address === 'object' ? address?.port : 0;
  await writeFile(join(dataDir, 'instance.json'), JSON.stringify({ holder: 'start', pid: process.pid, port, nonce: 'quiet' }));
  expect(await claimInstance(dataDir, 'command')).toMatchObject({ nonce: 'quiet' });
  silent.close();
});

test('a copy of the folder can be claimed while the original is claimed', async () => {
  const first = await claim('start');
  const original = dataDir;
  dataDir = `${original}-copy`;
  await cp(original, dataDir, { recursive: true });
  const second = await claim('command');
  await second.release();
  await rm(dataDir, { recursive: true });
  dataDir = original;
  expect(await claimInstance(dataDir, 'command')).toMatchObject({ holder: 'start' });
  await first.release();
});

test('a folder that was moved while it is claimed stays claimed', async () => {
  const first = await claim('start');
  await rename(dataDir, `${dataDir}-moved`);
  expect(await claimInstance(`${dataDir}-moved`, 'command')).toMatchObject({ holder: 'start' });
  await rename(`${dataDir}-moved`, dataDir);
  await first.release();
});

test('release does not remove the claim of another process', async () => {
  const mine = await claim('start');
  const path = join(dataDir, 'instance.json');
  await writeFile(path, '{"holder":"start","pid":1,"port":1,"nonce":"another"}');
  await mine.release();
  expect(await readdir(dataDir)).toEqual(['instance.json']);
});

test('one of many parallel starts gets the folder, and commands take turns', async () => {
  let holding = 0;
  let most = 0;
  await Promise.all(
    Array.from({ length: 40 }, async () => {
      const mine = await claim('command');
      holding += 1;
      most = Math.max(most, holding);
      await new Promise(setImmediate);
      holding -= 1;
      await mine.release();
    }),
  );
  expect(most).toBe(1);
});

test.each([
  ['a dead holder', JSON.stringify({ holder: 'start', pid: 1, port: 1, nonce: 'gone' })],
  ['a stranger that answers something else', JSON.stringify({ holder: 'start', pid: 1, port: 22, nonce: 'gone' })],
  ['an older version', '{"pid":1}'],
  ['half a file', '{"pid"'],
  ['nothing', ''],
])('the file of %s does not block others', async (_name, text) => {
  await writeFile(join(dataDir, 'instance.json'), text);
  await (await claim('start')).release();
  expect(await readdir(dataDir)).toEqual([]);
});
