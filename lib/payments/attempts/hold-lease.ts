import { setTimeout as delay } from 'node:timers/promises';
import { SECOND_MS } from '@/lib/core/clock';
import type { Log } from '@/lib/log/log';

/** How long after its last sign of life a worker is taken for dead: clocks may differ by ten seconds, and a renewal may fail. */
export const LEASE_MS = 30 * SECOND_MS;
const HEARTBEAT_MS = 10 * SECOND_MS;

interface HoldOptions {
  /** Renews the lease. @returns whether nobody else has it. */
  readonly renew: () => Promise<boolean>;
  /** How often, milliseconds. */
  readonly heartbeatMs?: number | undefined;
  readonly log: Log;
  /** What the call is about, for the log. */
  readonly about: object;
  /** Aborts the call whatever the lease. */
  readonly signal: AbortSignal;
}

/**
 * Makes a call, however long, while a heartbeat renews the lease that it is made under. It is aborted once another worker has
 * the lease; a renewal that fails says nothing about that, and the call goes on.
 * @param call given the signal that aborts it. @returns what it returns.
 */
export async function holdLease<Value>(
  { renew, heartbeatMs = HEARTBEAT_MS, log, about, signal }: HoldOptions,
  call: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const lost = new AbortController();
  const done = new AbortController();

  async function beat(): Promise<void> {
    while (await rested(heartbeatMs, done.signal)) {
      try {
        if (await renew()) continue;
        log.warn(about, 'the lease has passed to another worker; the call is aborted');
        return lost.abort();
      } catch (error) {
        log.warn({ ...about, err: error }, 'the lease could not be renewed; the call goes on');
      }
    }
  }

  const beating = beat();
  try {
    return await call(AbortSignal.any([signal, lost.signal]));
  } finally {
    done.abort();
    await beating;
  }
}

/** @returns false when there is nothing more to wait for. */
async function rested(ms: number, done: AbortSignal): Promise<boolean> {
  return delay(ms, true, { signal: done }).catch(() => false);
}
