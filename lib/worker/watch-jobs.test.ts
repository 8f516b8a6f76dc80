import { expect, test } from 'vitest';
import { MINUTE_MS } from '@/lib/core/clock';
import { watchJobs } from './watch-jobs';

test('a job without progress is named until it makes progress again', () => {
  let now = 0;
  const jobs = watchJobs(() => now);
  const quick = jobs.watch('quick', 0);
  const slow = jobs.watch('slow', 60 * MINUTE_MS);
  now = 10 * MINUTE_MS;
  expect(jobs.findProblem()).toBeNull();
  now += 1;
  expect(jobs.findProblem()).toBe('jobs without progress: quick');
  quick.claimed(null, 1);
  expect(jobs.findProblem()).toBe('jobs without progress: quick');
  quick.claimed(0, 1);
  expect(jobs.findProblem()).toBeNull();
  now = 71 * MINUTE_MS;
  quick.worked(false, 1);
  expect(jobs.findProblem()).toBe('jobs without progress: slow');
  slow.claimed(3, 1);
  expect(jobs.findProblem()).toBeNull();
});
