import { addMs, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import type { Scope } from '@/lib/platform/core/scope';

/** How an endpoint has answered lately. This decides how many parallel calls the endpoint gets, and when. */
export interface Health {
  /** Maximum number of parallel calls, over all workers. */
  readonly parallelism: number;
  /** Failures since the last success. */
  readonly failureCount: number;
  /** The first failure since the last success. */
  readonly failingSince: Date | null;
  readonly lastSuccessAt: Date | null;
  readonly lastFailureAt: Date | null;
  /** When the parallelism was last halved; null if it never was. */
  readonly slowedAt: Date | null;
  /** Until this time the endpoint gets no calls, because the circuit breaker pauses it or the receiver has asked for a pause. */
  readonly restUntil: Date | null;
  /** 0 while the circuit breaker is closed, else the number of pauses since it opened. */
  readonly breakerStep: number;
  readonly warningsGiven: number;
  /** The retries of deliveries that failed before this time must be made due. Null if there are none left. */
  readonly catchUpFrom: Date | null;
}

export const DISABLED_REASONS = ['gone', 'failing'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];
export type EndpointStatus = 'active' | 'paused' | 'disabled';

/** Where a merchant receives webhooks. Each merchant has one endpoint for each environment. */
export interface Endpoint extends Scope, Health {
  readonly id: string;
  readonly url: string | null;
  readonly encryptedSecret: Uint8Array;
  readonly encryptedPreviousSecret: Uint8Array | null;
  readonly previousSecretUntil: Date | null;
  readonly status: EndpointStatus;
  readonly disabledReason: DisabledReason | null;
  readonly statusSince: Date;
}

/** The part of a call's result that matters for the endpoint's health. */
export interface Outcome {
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly delivered: boolean;
  /** The receiver answered 429 or 5xx, or it did not answer: the connection was refused or reset, or the call timed out. */
  readonly overloaded: boolean;
  /** The time in the receiver's Retry-After header. */
  readonly retryAfter: Date | null;
  /**
   * True for the sandbox. There, probes are frequent during the first hour of failures, because a developer may start the receiver any
   * minute.
   */
  readonly inSandbox?: boolean;
  /** Multiplies the pause before a probe. A merchant can shorten the pause in the sandbox. */
  readonly pauseFactor?: number;
}

/** The parallelism of a new endpoint. It can grow up to MAX_PARALLELISM. */
const FIRST_PARALLELISM = 4;
export const MAX_PARALLELISM = 32;
/** If an answer takes longer, parallelism is at most FIRST_PARALLELISM, because each call occupies a slot of the worker. Milliseconds. */
const SLOW_MS = 5 * SECOND_MS;
/** Failures in a row that open the circuit breaker: then only single probes are sent until one succeeds. */
const BREAKER_FAILURES = 5;
/** The pauses before the first probe, the second probe and so on, in milliseconds. The last pause is also used for all later probes. */
const PROBE_MS: readonly number[] = [5, 10, 30, 60, 120, 300, 600].map((seconds) => seconds * SECOND_MS);
/** Longest pause between probes in the sandbox, milliseconds. It applies until SANDBOX_QUICK_MS after the first failure. */
const SANDBOX_PROBE_MS = 15 * SECOND_MS;
export const SANDBOX_QUICK_MS = HOUR_MS;
/** Longest pause that a receiver can request with Retry-After. */
const REST_MAX_MS = HOUR_MS;
/** While an endpoint is healthy, the time of its last success is written at most once in this period. */
const SUCCESS_NOTED_MS = 10 * SECOND_MS;
/**
 * If an endpoint recovers after its circuit breaker was open, or after failing for longer than this, its waiting retries are made due at
 * once.
 */
const CATCH_UP_MS = MINUTE_MS;

/** The merchant is warned after these durations without a success. */
export const WARNINGS_MS: readonly number[] = [HOUR_MS, 24 * HOUR_MS, 72 * HOUR_MS];
/** The endpoint is disabled after this duration without a success. */
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

/** Returns an endpoint's health after a call, or the same object if nothing changes. */
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
    // A success ends the breaker's pause, but not a pause that the receiver asked for.
    restUntil: before.breakerStep > 0 ? null : before.restUntil,
    breakerStep: 0,
    warningsGiven: 0,
    catchUpFrom: wasDown ? endedAt : before.catchUpFrom,
  };
}

function afterFailure(before: Health, outcome: Outcome): Health {
  const { startedAt, endedAt } = outcome;
  // A call that started before the last halving of the parallelism must not halve it again, because both report the same problem. In the
  // same way, a call that started during a pause of the breaker must not start the next pause.
  const slows = outcome.overloaded && (before.slowedAt === null || startedAt >= before.slowedAt);
  const failureCount = before.failureCount + 1;
  const opens =
    failureCount >= BREAKER_FAILURES && (before.breakerStep === 0 || (before.restUntil !== null && startedAt >= before.restUntil));
  const breakerStep = opens ? before.breakerStep + 1 : before.breakerStep;
  const requested = outcome.retryAfter && new Date(Math.min(outcome.retryAfter.getTime(), endedAt.getTime() + REST_MAX_MS));
  const failingSince = before.failingSince ?? endedAt;
  const quick = outcome.inSandbox === true && endedAt.getTime() - failingSince.getTime() < SANDBOX_QUICK_MS;
  const pause = (quick ? Math.min(probePause(breakerStep), SANDBOX_PROBE_MS) : probePause(breakerStep)) * (outcome.pauseFactor ?? 1);
  return {
    ...before,
    parallelism: slows ? Math.max(1, Math.floor(before.parallelism / 2)) : before.parallelism,
    slowedAt: slows ? endedAt : before.slowedAt,
    failureCount,
    failingSince,
    lastFailureAt: endedAt,
    breakerStep,
    restUntil: latest(before.restUntil, opens ? addMs(endedAt, pause) : null, requested),
  };
}

function probePause(step: number): number {
  return PROBE_MS[Math.min(step, PROBE_MS.length) - 1] ?? 0;
}

function latest(...instants: readonly (Date | null)[]): Date | null {
  return instants.reduce((last, instant) => (instant && (last === null || instant > last) ? instant : last), null);
}

/** Returns the number of warnings that are due for an endpoint without a success since `failingSince`. */
export function warningsDue(failingSince: Date, now: Date): number {
  return WARNINGS_MS.filter((ms) => now.getTime() - failingSince.getTime() >= ms).length;
}

export function mustBeDisabled(failingSince: Date, now: Date): boolean {
  return now.getTime() - failingSince.getTime() >= DISABLED_AFTER_MS;
}

/**
 * Makes the next probe due now. The breaker stays open until a probe succeeds.
 * @returns the same object if the breaker has no pause left.
 */
export function probeNow<T extends Pick<Health, 'breakerStep' | 'restUntil'>>(health: T, now: Date): T {
  const { breakerStep, restUntil } = health;
  return breakerStep > 0 && restUntil !== null && restUntil > now ? { ...health, restUntil: now } : health;
}

/**
 * Returns the health that a new endpoint has, but with the times of the last success and failure. `catchUpFrom` is set, so that all waiting
 * retries are made due. Used when a person says that the endpoint works again.
 */
export function resetHealth({ lastSuccessAt, lastFailureAt }: Health, now: Date): Health {
  return { ...HEALTHY, lastSuccessAt, lastFailureAt, catchUpFrom: now };
}

/** Why due deliveries are not sent at once. `paused` and `disabled` last until somebody resumes the endpoint. */
export type Hold =
  | { readonly kind: 'paused'; readonly since: Date }
  | { readonly kind: 'disabled'; readonly since: Date; readonly reason: Endpoint['disabledReason'] }
  /** The circuit breaker is open, so only single probes are sent. `until` is the time of the next probe, null if it is due. */
  | { readonly kind: 'breaker'; readonly until: Date | null }
  /** The receiver has asked for a pause. */
  | { readonly kind: 'resting'; readonly until: Date };

/** The fields of an endpoint that decide whether its deliveries are held. */
export type HoldFacts = Pick<Endpoint, 'status' | 'statusSince' | 'disabledReason' | 'breakerStep' | 'restUntil'>;

/** Returns why an endpoint's due deliveries are not sent at once, or null if they are. */
export function currentHold({ status, statusSince, disabledReason, breakerStep, restUntil }: HoldFacts, now: Date): Hold | null {
  if (status === 'paused') return { kind: 'paused', since: statusSince };
  if (status === 'disabled') return { kind: 'disabled', since: statusSince, reason: disabledReason };
  const pause = restUntil !== null && restUntil > now ? restUntil : null;
  if (breakerStep > 0) return { kind: 'breaker', until: pause };
  return pause ? { kind: 'resting', until: pause } : null;
}

/** Returns whether nothing is sent until somebody resumes the endpoint. */
export function isStopped(hold: Hold | null): hold is Extract<Hold, { readonly since: Date }> {
  return hold?.kind === 'paused' || hold?.kind === 'disabled';
}

/**
 * Returns the earliest time of a delivery's next attempt.
 * @returns null if the delivery can be sent now, or if the time is unknown because the endpoint is stopped. Never a past time.
 */
export function earliestAttempt(dueAt: Date, hold: Hold | null, now: Date): Date | null {
  if (isStopped(hold)) return null;
  const last = hold?.until && hold.until > dueAt ? hold.until : dueAt;
  return last > now ? last : null;
}
