import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';
import { withLock } from './lock.mjs';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bili-lock-'));
  path = join(folder, 'deep', 'lock');
});
afterEach(() => rm(folder, { recursive: true }));

const nobody = () => {
  throw new Error('nobody holds the lock');
};

/** Starts another process that takes the lock and does not release it. Resolves when it has the lock. */
async function startHolder() {
  const script = join(folder, 'hold.mjs');
  const lock = JSON.stringify(join(PROJECT_ROOT, 'lib', 'cli', 'build', 'lock.mjs'));
  const work = "() => new Promise(() => process.send('held'))";
  await writeFile(script, `import { withLock } from ${lock};\nawait withLock(${JSON.stringify(path)}, ${work}, () => undefined);\n`);
  const child = fork(script, { execArgv: [] });
  await once(child, 'message');
  return child;
}

test('processes work one after the other, and leave no files', async () => {
  let working = 0;
  let most = 0;
  let turns = 0;
  const work = async () => {
    working += 1;
    most = Math.max(most, working);
    await new Promise(setImmediate);
    working -= 1;
    turns += 1;
  };
  await Promise.all(Array.from({ length: 8 }, () => withLock(path, work, () => undefined)));
  expect({ most, turns }).toEqual({ most: 1, turns: 8 });
  expect(await readdir(join(folder, 'deep'))).toEqual([]);
});

test('a waiting process reports it once, and continues when the owner is killed', async () => {
  const holder = await startHolder();
  let waits = 0;
  let worked = false;
  await withLock(
    path,
    async () => {
      worked = true;
    },
    () => {
      waits += 1;
      expect(worked).toBe(false);
      holder.kill('SIGKILL');
    },
  );
  expect({ waits, worked }).toEqual({ waits: 1, worked: true });
});

test('the lock of a process that was killed earlier is taken over', async () => {
  const holder = await startHolder();
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  expect(await readdir(join(folder, 'deep'))).toEqual(['lock']);
  await withLock(path, async () => expect(await readdir(join(folder, 'deep'))).toEqual(['lock']), nobody);
});

test('failed work releases the lock', async () => {
  await expect(withLock(path, () => Promise.reject(new Error('failed')), nobody)).rejects.toThrow('failed');
  await expect(withLock(path, async () => expect(path).toContain('lock'), nobody)).resolves.toBeUndefined();
});
