import { setTimeout as delay } from 'node:timers/promises';
import { percentile } from '../load';

interface SteadyLoad {
  readonly perSecond: number;
  readonly seconds: number;
  readonly send: (index: number) => Promise<Response>;
}

/** How long requests waited for their answers, milliseconds. */
export interface Waits {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
}

/**
 * Sends requests at a constant rate, even if earlier ones have not been answered, and measures how long each waits for its answer. Throws
 * at the first answer that is not 2xx.
 */
export async function runSteadily({ perSecond, seconds, send }: SteadyLoad): Promise<Waits> {
  const begun = performance.now();
  const waits = await Promise.all(
    Array.from({ length: perSecond * seconds }, async (_, index) => {
      const due = begun + (index * 1_000) / perSecond;
      await delay(Math.max(0, due - performance.now()));
      const answer = await send(index);
      const text = await answer.text();
      if (!answer.ok) throw new Error(`A request of the other merchant was answered ${answer.status} ${text}`);
      return performance.now() - due;
    }),
  );
  waits.sort((a, b) => a - b);
  return { count: waits.length, p50: percentile(waits, 0.5), p99: percentile(waits, 0.99) };
}
