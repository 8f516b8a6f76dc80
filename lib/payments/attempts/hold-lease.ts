import { SECOND_MS } from '@/lib/core/clock';
import type { Log } from '@/lib/log/log';

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
