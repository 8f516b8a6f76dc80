import type { RateResult } from './run-rate';

interface Search {
  /** Sends charges at a rate, for some seconds. */
  readonly run: (perSecond: number, seconds: number) => Promise<RateResult>;
  /** How long the found rate must be sustained. */
  readonly seconds: number;
  readonly mostMs: number;
}

const PROBE_SECONDS = 10;
const FIRST_RATE = 50;
/** The search ends when the lowest failed rate is at most this factor times the highest sustained rate. */
const PRECISION = 1.1;
/** If a run of the full length (`Search.seconds`) fails, the next run uses the rate multiplied by this factor. */
const STEP_BACK = 0.9;

/**
 * Looks for the highest rate that is sustained: doubles the rate in short runs, bisects, and then lowers the rate until a run of the full
 * `seconds` succeeds. Starts no run after `mostMs`. Returns all runs.
 */
export async function findRate({ run, seconds, mostMs }: Search): Promise<RateResult[]> {
  const deadline = performance.now() + mostMs;
  const runs: RateResult[] = [];
  const sustains = async (rate: number, runSeconds: number) => {
    const result = await run(rate, runSeconds);
    runs.push(result);
    return result.sustained;
  };
  let sustained = 0;
  let failed = Number.POSITIVE_INFINITY;
  for (let rate = FIRST_RATE; failed > Math.max(sustained, 1) * PRECISION && performance.now() < deadline; ) {
    if (await sustains(rate, Math.min(PROBE_SECONDS, seconds))) sustained = rate;
    else failed = rate;
    rate = failed === Number.POSITIVE_INFINITY ? rate * 2 : Math.max(1, Math.round((sustained + failed) / 2));
  }
  for (let rate = sustained; rate >= 1 && performance.now() < deadline; rate = Math.round(rate * STEP_BACK)) {
    if (await sustains(rate, seconds)) break;
  }
  return runs;
}
