import { randomUUID } from 'node:crypto';
import { SECOND_MS } from '@/lib/core/clock';
import type { Runtime } from '@/lib/runtime/runtime';
import type { RateLimiter } from './rate-limiter';
import { exchangeRates } from './store';

/** The rate of a subject below this many requests per second is not sent to the other processes. */
const LEAST_PER_SECOND = 2;

export interface RateSharing {
  /** Exchanges rates with the other processes now. A timer calls this each second. */
  exchange(): Promise<void>;
  stop(): void;
}

/** Exchanges rates with the other processes each second, if there are rates to send. Without the database, each process counts alone. */
export function shareRates({ db, log }: Pick<Runtime, 'db' | 'log'>, limiter: RateLimiter): RateSharing {
  const processId = randomUUID();
  let last = performance.now();
  let reachable = true;
  let running = false;

  async function exchange(): Promise<void> {
    const now = performance.now();
    const usages = limiter.collect(Math.max(1, now - last), LEAST_PER_SECOND);
    last = now;
    try {
      limiter.learn(usages.length === 0 ? [] : await exchangeRates(db, { processId, usages }));
      reachable = true;
    } catch (error) {
      limiter.learn([]);
      if (reachable) log.warn({ err: error }, 'rates cannot be exchanged: each process counts alone until the database answers');
      reachable = false;
    }
  }

  async function tick(): Promise<void> {
    if (running) return;
    running = true;
    await exchange();
    running = false;
  }

  const timer = setInterval(() => void tick(), SECOND_MS).unref();
  return { exchange, stop: () => clearInterval(timer) };
}
