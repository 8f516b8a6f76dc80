import type { ErrorClass, ErrorData } from '@/lib/gateway/webhooks/failure-rules';

/** The steps of a receiver check, in order. */
export const CHECK_STEPS = ['good', 'duplicate', 'bad_signature', 'unsigned', 'stale', 'out_of_order', 'slow'] as const;
export type CheckStep = (typeof CHECK_STEPS)[number];

/** The number of calls of a complete check. The step `out_of_order` has two. */
export const CALLS_MAX = 8;

export const CHECK_OUTCOMES = ['passed', 'warning', 'failed', 'skipped'] as const;

export const STEP_CODES = [
  'accepted',
  'slow_answer',
  'redirected',
  'refused',
  'no_answer',
  'duplicate_refused',
  'newer_refused',
  'older_refused',
  'slow_refused',
  'forged_accepted',
  'unsigned_accepted',
  'stale_accepted',
  'refused_rightly',
  'refused_by_error',
  'refused_without_answer',
  'proves_nothing',
  'not_tried',
] as const;
type StepCode = (typeof STEP_CODES)[number];

/**
 * If the receiver takes longer than this to accept a webhook, the step gets a warning, because a delivery may exceed the timeout.
 * Milliseconds.
 */
const SLOW_ANSWER_MS = 5_000;

/** The result of one call. A step has one or two calls. */
export interface StepCall {
  readonly step: CheckStep;
  /** Null when no answer came. */
  readonly status: number | null;
  readonly failure: { readonly errorClass: ErrorClass; readonly errorData: ErrorData } | null;
  readonly durationMs: number;
}

export interface StepJudgement {
  readonly step: CheckStep;
  readonly outcome: (typeof CHECK_OUTCOMES)[number];
  readonly code: StepCode;
  readonly data: { readonly status?: number; readonly seconds?: number };
  /** Why the call failed, if that is known. */
  readonly failure: StepCall['failure'];
}

type Judged = Omit<StepJudgement, 'step'>;

/** Judges a receiver's answers, step by step. @param calls the calls so far. A step without calls is `skipped`. */
export function judgeCheck(calls: readonly StepCall[]): StepJudgement[] {
  const byStep = Map.groupBy(calls, ({ step }) => step);
  const acceptsGood = (byStep.get('good') ?? []).some(isAccepted);
  return CHECK_STEPS.map((step) => ({ step, ...judgeStep(step, byStep.get(step) ?? [], acceptsGood) }));
}

/** Returns whether the check should continue. If the webhook of the step `good` got no answer, the other steps would prove nothing. */
export function shouldContinue({ step, status }: StepCall): boolean {
  return step !== 'good' || status !== null;
}

function judgeStep(step: CheckStep, calls: readonly StepCall[], acceptsGood: boolean): Judged {
  const [first, second] = calls;
  if (!first) return { outcome: 'skipped', code: 'not_tried', data: {}, failure: null };
  switch (step) {
    case 'good':
      return judgeWanted(first, 'refused');
    case 'duplicate':
      return acceptsGood ? judgeWanted(first, 'duplicate_refused') : unproven(first);
    case 'out_of_order': {
      const both = [judgeWanted(first, 'newer_refused'), ...(second ? [judgeWanted(second, 'older_refused')] : [])];
      const worst = (['failed', 'warning'] as const).flatMap((outcome) => both.filter((one) => one.outcome === outcome));
      return worst[0] ?? judgeWanted(first, 'newer_refused');
    }
    case 'slow':
      // This step sends its body slowly, so the duration says nothing about the receiver.
      return judgeWanted({ ...first, durationMs: 0 }, 'slow_refused');
    case 'bad_signature':
      return judgeUnwanted(first, 'failed', 'forged_accepted', acceptsGood);
    case 'unsigned':
      return judgeUnwanted(first, 'failed', 'unsigned_accepted', acceptsGood);
    case 'stale':
      return judgeUnwanted(first, 'warning', 'stale_accepted', acceptsGood);
  }
}

/** Judges the answer to a webhook that the receiver should accept. @param refused the code if the receiver refused it. */
function judgeWanted(call: StepCall, refused: StepCode): Judged {
  const { status, durationMs, failure } = call;
  if (isAccepted(call)) {
    if (durationMs <= SLOW_ANSWER_MS) return { outcome: 'passed', code: 'accepted', data: {}, failure: null };
    return { outcome: 'warning', code: 'slow_answer', data: { seconds: Math.round(durationMs / 1000) }, failure: null };
  }
  if (status === null) return { outcome: 'failed', code: 'no_answer', data: {}, failure };
  return { outcome: 'failed', code: status >= 300 && status < 400 ? 'redirected' : refused, data: { status }, failure };
}

/**
 * Judges the answer to a webhook that the receiver should refuse.
 * @param outcome the outcome if the receiver accepted the webhook.
 * @param accepted the code if the receiver accepted the webhook.
 * @param acceptsGood whether the receiver accepted the webhook of the step `good`.
 */
function judgeUnwanted(call: StepCall, outcome: 'failed' | 'warning', accepted: StepCode, acceptsGood: boolean): Judged {
  const { status } = call;
  if (status !== null && isAccepted(call)) return { outcome, code: accepted, data: { status }, failure: null };
  if (!acceptsGood) return unproven(call);
  if (status === null) return { outcome: 'warning', code: 'refused_without_answer', data: {}, failure: null };
  if (status >= 500) return { outcome: 'warning', code: 'refused_by_error', data: { status }, failure: null };
  return { outcome: 'passed', code: 'refused_rightly', data: { status }, failure: null };
}

/** Judges an answer that proves nothing, because the receiver did not accept the webhook of the step `good` either. */
function unproven({ status }: StepCall): Judged {
  return { outcome: 'warning', code: 'proves_nothing', data: status === null ? {} : { status }, failure: null };
}

function isAccepted({ status }: StepCall): boolean {
  return status !== null && status >= 200 && status < 300;
}
