import { addMs, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/core/clock';

/** How an endpoint has been answering: what decides how many calls it gets, and when. */
export interface Health {
  /** Calls at once over all workers. */
  readonly parallelism: number;
  /** Since the last success. */
  readonly failureCount: number;
  readonly failingSince: Date | null;
  readonly lastSuccessAt: Date | null;
  readonly lastFailureAt: Date | null;
  readonly slowedAt: Date | null;
  readonly restUntil: Date | null;
  readonly breakerStep: number;
  readonly warningsGiven: number;
  readonly catchUpFrom: Date | null;
}

/** How one call ended, as far as the endpoint's health is concerned. */
export interface Outcome {
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly delivered: boolean;
  /** It was too much for the receiver, or the receiver was not there: 429, 5xx, a time-out, no connection. */
  readonly overloaded: boolean;
  /** When the receiver asked to be called again. */
  readonly retryAfter: Date | null;
  /** In the sandbox a developer starts the receiver any minute: probes come quickly during the first hour. */
  readonly inSandbox?: boolean;
}

/** Calls at once that an endpoint is given before anything is known of it, and at most. */
const FIRST_PARALLELISM = 4;
export const MAX_PARALLELISM = 32;
/** Who takes longer to answer gets no more calls at once than at the beginning: each keeps a place from everybody else. Milliseconds. */
const SLOW_MS = 5 * SECOND_MS;
/** So many failures in a row, and single probes are made until one succeeds. */
const BREAKER_FAILURES = 5;
/** Pause before each further probe, milliseconds; the last one is repeated. */
const PROBE_MS: readonly number[] = [5, 10, 30, 60, 120, 300, 600].map((seconds) => seconds * SECOND_MS);
/** The longest pause between probes in the sandbox, and for how long after the first failure. Milliseconds. */
const SANDBOX_PROBE_MS = 15 * SECOND_MS;
export const SANDBOX_QUICK_MS = HOUR_MS;
/** A receiver may ask for its own endpoint to be left alone, but not for ever. */
const REST_MAX_MS = HOUR_MS;
/** While all goes well, the time of the last success is written this often. */
const SUCCESS_NOTED_MS = 10 * SECOND_MS;
/** What failed longer ago than this does not wait for its time once the endpoint answers again. */
const CATCH_UP_MS = MINUTE_MS;

/** A warning is given after so many milliseconds of failures alone. */
export const WARNINGS_MS: readonly number[] = [HOUR_MS, 24 * HOUR_MS, 72 * HOUR_MS];
/** After so many, the endpoint is disabled. */
const DISABLED_AFTER_MS = 7 * DAY_MS;

const HEALTHY: Health = {
  parallelism: FIRST_PARALLELISM,
  failureCount: 0,
  failingSince: null,
  lastSuccessAt: null,
  lastFailureAt: null,
  slowedAt: null,
  restUntil: null,
  breakerStep: 0,
  warningsGiven: 0,
  catchUpFrom: null,
};

/** What an outcome makes of an endpoint's health. Pure. @returns the same object when there is nothing new. */
export function nextHealth(before: Health, outcome: Outcome): Health {
  return outcome.delivered ? afterSuccess(before, outcome) : afterFailure(before, outcome);
}

function afterSuccess(before: Health, { startedAt, endedAt }: Outcome): Health {
  const most = endedAt.getTime() - startedAt.getTime() > SLOW_MS ? FIRST_PARALLELISM : MAX_PARALLELISM;
  const parallelism = Math.min(before.parallelism + 1, most);
  const noted = before.lastSuccessAt !== null && endedAt.getTime() - before.lastSuccessAt.getTime() < SUCCESS_NOTED_MS;
  if (noted && before.failureCount === 0 && before.parallelism === parallelism) return before;
  const wasDown =
    before.breakerStep > 0 || (before.failingSince !== null && endedAt.getTime() - before.failingSince.getTime() > CATCH_UP_MS);
  return {
    ...before,
    parallelism,
    failureCount: 0,
    failingSince: null,
    lastSuccessAt: endedAt,
    // A pause that the receiver asked for stands; the breaker's is over.
    restUntil: before.breakerStep > 0 ? null : before.restUntil,
    breakerStep: 0,
    warningsGiven: 0,
    catchUpFrom: wasDown ? endedAt : before.catchUpFrom,
  };
}

function afterFailure(before: Health, outcome: Outcome): Health {
  const { startedAt, endedAt } = outcome;
  // Calls that were under way when it was slowed, or sent to rest, tell the same news again.
  const slows = outcome.overloaded && (before.slowedAt === null || startedAt >= before.slowedAt);
  const failureCount = before.failureCount + 1;
  const opens =
    failureCount >= BREAKER_FAILURES && (before.breakerStep === 0 || (before.restUntil !== null && startedAt >= before.restUntil));
  const breakerStep = opens ? before.breakerStep + 1 : before.breakerStep;
  const askedFor = outcome.retryAfter && new Date(Math.min(outcome.retryAfter.getTime(), endedAt.getTime() + REST_MAX_MS));
  const failingSince = before.failingSince ?? endedAt;
  const quick = outcome.inSandbox === true && endedAt.getTime() - failingSince.getTime() < SANDBOX_QUICK_MS;
  const pause = quick ? Math.min(probePause(breakerStep), SANDBOX_PROBE_MS) : probePause(breakerStep);
  return {
    ...before,
    parallelism: slows ? Math.max(1, Math.floor(before.parallelism / 2)) : before.parallelism,
    slowedAt: slows ? endedAt : before.slowedAt,
    failureCount,
    failingSince,
    lastFailureAt: endedAt,
    breakerStep,
    restUntil: latest(before.restUntil, opens ? addMs(endedAt, pause) : null, askedFor),
  };
}

function probePause(step: number): number {
  return PROBE_MS[Math.min(step, PROBE_MS.length) - 1] ?? 0;
}

function latest(...instants: readonly (Date | null)[]): Date | null {
  return instants.reduce((last, instant) => (instant && (last === null || instant > last) ? instant : last), null);
}

/** @returns how many warnings are due by now, for an endpoint that has only failed since then. */
export function warningsDue(failingSince: Date, now: Date): number {
  return WARNINGS_MS.filter((ms) => now.getTime() - failingSince.getTime() >= ms).length;
}

/** @returns whether it has failed for so long that it is not called any more. */
export function isGivenUp(failingSince: Date, now: Date): boolean {
  return now.getTime() - failingSince.getTime() >= DISABLED_AFTER_MS;
}

/**
 * @returns health with the breaker's pause over: somebody asks for the next probe now. It stays open until a probe succeeds. The same
 * object when no such pause is left. Pure.
 */
export function probeNow<T extends Pick<Health, 'breakerStep' | 'restUntil'>>(health: T, now: Date): T {
  const { breakerStep, restUntil } = health;
  return breakerStep > 0 && restUntil !== null && restUntil > now ? { ...health, restUntil: now } : health;
}

/** @returns health as if nothing were known, and everything that waits for its time is made due: somebody says that it works again. */
export function afresh({ lastSuccessAt, lastFailureAt }: Health, now: Date): Health {
  return { ...HEALTHY, lastSuccessAt, lastFailureAt, catchUpFrom: now };
}
