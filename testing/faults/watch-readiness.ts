import { setTimeout as delay } from 'node:timers/promises';

const EACH_MS = 100;
const ANSWER_MS = 2_000;

export interface ReadinessWatch {
  /** Whether each process was ready at its last check. */
  readonly ready: readonly boolean[];
  /** Returns how long at least one process was not ready, milliseconds. */
  notReadyMs(): number;
  stop(): Promise<void>;
}

/** Checks the readiness of each web process, as a load balancer does. */
export function watchReadiness(origins: readonly string[]): ReadinessWatch {
  const stopping = new AbortController();
  const ready = origins.map(() => true);
  let notReady = 0;

  async function watch(origin: string, index: number): Promise<void> {
    while (!stopping.signal.aborted) {
      ready[index] = await isReady(origin);
      await delay(EACH_MS);
    }
  }

  async function measure(): Promise<void> {
    for (let before = performance.now(); !stopping.signal.aborted; ) {
      await delay(EACH_MS);
      const now = performance.now();
      if (ready.includes(false)) notReady += now - before;
      before = now;
    }
  }

  const running = Promise.all([measure(), ...origins.map(watch)]);
  return {
    ready,
    notReadyMs: () => notReady,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

async function isReady(origin: string): Promise<boolean> {
  try {
    const response = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(ANSWER_MS) });
    await response.text();
    return response.ok;
  } catch {
    // The process does not answer.
    return false;
  }
}
