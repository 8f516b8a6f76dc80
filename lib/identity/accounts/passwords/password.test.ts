import { expect, test } from 'vitest';
import { createHashQueue, type HashLane, hashPassword, passwordMatches } from './password';

/** Creates a queue, with work that ends on request and a list of the work in the order in which it started. */
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

test('two hashes run at once, only one of them for a stranger, and trusted callers go before waiting strangers', async () => {
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

test('strangers are refused when too many wait, but trusted callers are not', async () => {
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

test('work that throws frees its slot', async () => {
  const queue = createHashQueue();
  for (let i = 0; i < 3; i += 1) await expect(queue.run('stranger', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await queue.run('stranger', async () => 'fine')).toBe('fine');
});

test('a password is hashed with Argon2id, with a salt of its own', async () => {
  const hashes = await Promise.all([hashPassword('ninapenda samaki'), hashPassword('ninapenda samaki')]);
  for (const one of hashes) {
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await passwordMatches('ninapenda samaki', one)).toBe(true);
  }
  expect(new Set(hashes).size).toBe(2);
});
