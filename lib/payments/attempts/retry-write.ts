import { setTimeout as delay } from 'node:timers/promises';
import { doublingDelay } from '@/lib/core/backoff';
import { SECOND_MS } from '@/lib/core/clock';
import { isDatabaseUnavailable } from '@/lib/db/errors';
import type { Log } from '@/lib/log/log';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2 * SECOND_MS;

interface RetryOptions {
  readonly log: Log;
  /** What is written, for the log. */
  readonly about: object;
  /** Once aborted, a last try is made. */
  readonly signal: AbortSignal;
}

/**
 * Repeats a write while the database is unavailable, ever more slowly. It must be safe to repeat: a commit may have been made
 * although it failed. Throws what the last try threw, and at once what is no fault of the connection or of a lock.
 */
export async function retryWrite(write: () => Promise<void>, { log, about, signal }: RetryOptions): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const last = signal.aborted;
    try {
      return await write();
    } catch (error) {
      if (last || !isDatabaseUnavailable(error)) throw error;
      log.warn({ ...about, err: error, tries }, 'the database could not store what the provider answered; it is tried again');
      await delay(doublingDelay(tries, FIRST_PAUSE_MS, LONGEST_PAUSE_MS), undefined, { signal }).catch(() => undefined);
    }
  }
}
