import { setTimeout as delay } from 'node:timers/promises';
import { doublingDelay } from '@/lib/core/backoff';
import { SECOND_MS } from '@/lib/core/clock';
import { isDatabaseUnavailable } from '@/lib/db/errors';
import type { Log } from '@/lib/log/log';
import { isOverloaded } from '@/lib/queues/overloaded';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2 * SECOND_MS;

interface RetryOptions {
  readonly log: Log;
  /** Fields that describe the write in log lines. */
  readonly about: object;
  /** After the signal is aborted, the write is repeated one last time. */
  readonly signal: AbortSignal;
}

/**
 * Repeats a write with growing delays while the database is unavailable or has too much to do. The write must be idempotent, because a
 * commit may have succeeded although it reported an error. Throws every other error immediately. After the signal is aborted, repeats the write
 * one last time and throws the error of that repetition.
 */
export async function retryWrite(write: () => Promise<void>, { log, about, signal }: RetryOptions): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const last = signal.aborted;
    try {
      return await write();
    } catch (error) {
      if (last || !(isDatabaseUnavailable(error) || isOverloaded(error))) throw error;
      log.warn({ ...about, err: error, tries }, "the database could not store the provider's answer; the write is retried");
      await delay(doublingDelay(tries, FIRST_PAUSE_MS, LONGEST_PAUSE_MS), undefined, { signal }).catch(() => undefined);
    }
  }
}
