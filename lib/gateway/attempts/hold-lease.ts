import { setTimeout as delay } from 'node:timers/promises';
import { doublingDelay } from '@/lib/platform/core/backoff';
import { SECOND_MS } from '@/lib/platform/core/clock';
import { isDatabaseUnavailable } from '@/lib/platform/db/errors';
import type { Log } from '@/lib/platform/log/log';
import { isOverloaded } from '@/lib/platform/queues/overloaded';

/** How long a lease is valid without renewal. This is enough if clocks differ by ten seconds and one renewal fails. */
export const LEASE_MS = 30 * SECOND_MS;
const HEARTBEAT_MS = 10 * SECOND_MS;

interface HoldOptions {
  /** Renews the lease. Returns false if another worker has it. */
  readonly renew: () => Promise<boolean>;
  /** Milliseconds between renewals. */
  readonly heartbeatMs?: number | undefined;
  readonly log: Log;
  /** Fields that describe the call in log lines. */
  readonly about: object;
  /** Aborts the call for any other reason than a lost lease, for example when the worker stops. */
  readonly signal: AbortSignal;
}

/**
 * Makes a call of any length while a heartbeat renews its lease, and returns its result. The call is aborted when another worker has
 * the lease. If a renewal fails with an error, the call continues, because the error does not show who has the lease.
 */
export async function holdLease<Value>(
  { renew, heartbeatMs = HEARTBEAT_MS, log, about, signal }: HoldOptions,
  call: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const lost = new AbortController();
  const done = new AbortController();

  async function beat(): Promise<void> {
    while (await pause(heartbeatMs, done.signal)) {
      try {
        if (await renew()) continue;
        log.warn(about, 'the lease has passed to another worker; the call is aborted');
        return lost.abort();
      } catch (error) {
        log.warn({ ...about, err: error }, 'the lease could not be renewed; the call continues');
      }
    }
  }

  const heartbeat = beat();
  try {
    return await call(AbortSignal.any([signal, lost.signal]));
  } finally {
    done.abort('the call has ended');
    await heartbeat;
  }
}

/** Waits. If the call ends earlier, returns false at once. It throws no error then, because creating an error for each call is slow. */
async function pause(ms: number, done: AbortSignal): Promise<boolean> {
  if (done.aborted) return false;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const ended = () => resolve(false);
  const timer = setTimeout(resolve, ms, true);
  done.addEventListener('abort', ended, { once: true });
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    done.removeEventListener('abort', ended);
  }
}

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
