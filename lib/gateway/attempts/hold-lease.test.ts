import { expect, test } from 'vitest';
import { DatabaseUnavailable } from '@/lib/platform/db/errors';
import { createLog } from '@/lib/platform/log/log';
import { Overloaded } from '@/lib/platform/queues/overloaded';
import { retryWrite } from './hold-lease';

const log = createLog({ level: 'silent', format: 'json', process: 'test' });

function write(failures: readonly Error[]) {
  const left = [...failures];
  let count = 0;
  const run = async () => {
    count += 1;
    const failure = left.shift();
    if (failure) throw failure;
  };
  return { count: () => count, done: retryWrite(run, { log, about: {}, signal: new AbortController().signal }) };
}

test('a write is repeated while the database is unavailable, or while too much waits for it', async () => {
  const { count, done } = write([new DatabaseUnavailable(new Error('gone')), new Overloaded()]);
  await done;
  expect(count()).toBe(3);
});

test('a write that fails for another reason is not repeated', async () => {
  const { count, done } = write([new Error('a fault of the program')]);
  await expect(done).rejects.toThrow('a fault of the program');
  expect(count()).toBe(1);
});
