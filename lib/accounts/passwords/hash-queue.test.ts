import { expect, test } from 'vitest';
import { createHashQueue, type HashLane } from './hash-queue';

/** A queue with work that ends when told, and a record of what runs and in which order it began. */
function setUp() {
  const queue = createHashQueue();
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const add = (lane: HashLane, name: string) =>
    queue.run(lane, () => {
      began.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    });
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { add, end, began };
}

test('two run at once, one of them a stranger’s, and a trusted caller goes before strangers who wait', async () => {
  const { add, end, began } = setUp();
  const all = [add('stranger', 's1'), add('stranger', 's2'), add('trusted', 't1'), add('trusted', 't2')];
  await end('none');
  expect(began).toEqual(['s1', 't1']);
  await end('s1');
  expect(began).toEqual(['s1', 't1', 't2']);
  await end('t1');
  expect(began).toEqual(['s1', 't1', 't2', 's2']);
  await end('t2');
  await end('s2');
  expect(await Promise.all(all)).toEqual(['s1', 's2', 't1', 't2']);
});

test('strangers are refused when too many wait, trusted callers never', async () => {
  const { add, end, began } = setUp();
  const waiting = Array.from({ length: 151 }, (_, at) => add('stranger', `s${at}`));
  expect(await add('stranger', 'late')).toBe('busy');
  const trusted = add('trusted', 't');
  await end('none');
  await end('t');
  expect(await trusted).toBe('t');
  for (let at = 0; at <= 150; at += 1) await end(`s${at}`);
  expect(await Promise.all(waiting)).toHaveLength(151);
  expect(began).not.toContain('late');
});

test('work that throws frees its place', async () => {
  const queue = createHashQueue();
  for (let i = 0; i < 3; i += 1) await expect(queue.run('stranger', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await queue.run('stranger', async () => 'fine')).toBe('fine');
});
