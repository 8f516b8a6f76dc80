import { doublingDelay } from '@/lib/core/backoff';
import { addMs, HOUR_MS } from '@/lib/core/clock';
import type { Senti } from '@/lib/core/money';
import type { Environment } from '@/lib/core/scope';
import { type Pace, REVIEW_AFTER_MS } from '@/lib/payments/rules';
import type { FailureReason } from '@/lib/providers/port/outcome';
import type { ReversalOutcome } from '@/lib/providers/port/port';
import type { ReversalState } from './state';

/** A request to the provider to reverse a payment or a part of it. */
export interface ReversalRequest {
  readonly id: string;
  readonly environment: Environment;
  readonly paymentId: string;
  readonly amount: Senti;
  /** Whether the request is for the complete payment. */
  readonly whole: boolean;
  /** Unique: 20 upper-case letters and digits. */
  readonly ourReference: string;
  readonly state: ReversalState;
  /** One of the `FAILURE_REASONS`; null if the request has not failed. */
  readonly failureReason: string | null;
  readonly sendCount: number;
  readonly queryCount: number;
  readonly leaseToken: number;
  readonly sentAt: Date | null;
}

/** The effect of an outcome on a request. `again`: the next step is due at `dueAt`. `unresolved`: a person must settle it. */
type ReversalDecision =
  | { readonly kind: 'reversed'; readonly amount: Senti | null; readonly transactionId: string | null }
  | { readonly kind: 'failed'; readonly reason: FailureReason }
  | { readonly kind: 'again'; readonly state: 'QUEUED' | 'UNKNOWN'; readonly dueAt: Date }
  | { readonly kind: 'unresolved' };

type ReversalPace = Pick<Pace, 'unknownQueryMs' | 'maxQueryMs' | 'retryMs' | 'giveUpMs'>;

/**
 * Decides what an outcome changes on a request. A request is settled only by a report of the provider. If an answer was lost, Bili queries
 * the status and never sends the request again, because the money could be reversed twice.
 */
export function decideReversal(request: ReversalRequest, outcome: ReversalOutcome, pace: ReversalPace, now: Date): ReversalDecision {
  switch (outcome.kind) {
    case 'reversed':
      return outcome;
    case 'failed':
      return outcome;
    case 'not_sent': {
      if (request.state !== 'SENDING') return scheduleQuery(request, pace, now);
      const elapsed = (sendings: number) => pace.retryMs * (2 ** sendings - 1);
      const before = elapsed(request.sendCount - 1);
      if (before >= pace.giveUpMs) return { kind: 'failed', reason: 'provider_unavailable' };
      return { kind: 'again', state: 'QUEUED', dueAt: addMs(now, Math.min(elapsed(request.sendCount), pace.giveUpMs) - before) };
    }
    case 'pending':
    case 'unknown':
      return scheduleQuery(request, pace, now);
  }
}

function scheduleQuery({ sentAt, queryCount }: ReversalRequest, pace: ReversalPace, now: Date): ReversalDecision {
  if (sentAt !== null && now >= addMs(sentAt, REVIEW_AFTER_MS)) return { kind: 'unresolved' };
  const delay = doublingDelay(queryCount + 1, pace.unknownQueryMs, Math.min(pace.maxQueryMs, HOUR_MS));
  return { kind: 'again', state: 'UNKNOWN', dueAt: addMs(now, delay) };
}
