import { doublingDelay } from '@/lib/core/backoff';
import { addMs, HOUR_MS } from '@/lib/core/clock';
import type { Senti } from '@/lib/core/money';
import type { Environment } from '@/lib/core/scope';
import { type Pace, REVIEW_AFTER_MS } from '@/lib/payments/rules';
import type { FailureReason } from '@/lib/providers/port/outcome';
import type { ReversalOutcome } from '@/lib/providers/port/port';
import type { ReversalState } from './state';

/** A request to send (part of) a payment back. */
export interface ReversalRequest {
  readonly id: string;
  readonly environment: Environment;
  readonly paymentId: string;
  readonly amount: Senti;
  /** All of the payment. */
  readonly whole: boolean;
  /** Ours, unique, 20 upper-case letters and digits. */
  readonly ourReference: string;
  readonly state: ReversalState;
  /** One of the `FAILURE_REASONS`. */
  readonly failureReason: string | null;
  readonly sendCount: number;
  readonly queryCount: number;
  readonly leaseToken: number;
  readonly sentAt: Date | null;
}

/** What an answer does to a request: it settles it, or says when to go on, or that a person has to. */
type ReversalDecision =
  | { readonly kind: 'reversed'; readonly amount: Senti | null; readonly transactionId: string | null }
  | { readonly kind: 'failed'; readonly reason: FailureReason }
  | { readonly kind: 'again'; readonly state: 'QUEUED' | 'UNKNOWN'; readonly dueAt: Date }
  | { readonly kind: 'unresolved' };

type ReversalPace = Pick<Pace, 'unknownQueryMs' | 'maxQueryMs' | 'retryMs' | 'giveUpMs'>;

/**
 * Decides what became of a request that was sent or asked about. Pure. As with a prompt, only the provider's word ends it: an
 * answer that was lost is asked about, and never sent again, because money might go back twice.
 */
export function decideReversal(request: ReversalRequest, outcome: ReversalOutcome, pace: ReversalPace, now: Date): ReversalDecision {
  switch (outcome.kind) {
    case 'reversed':
      return outcome;
    case 'failed':
      return outcome;
    case 'not_sent': {
      if (request.state !== 'SENDING') return askAgain(request, pace, now);
      const elapsed = (tries: number) => pace.retryMs * (2 ** tries - 1);
      const before = elapsed(request.sendCount - 1);
      if (before >= pace.giveUpMs) return { kind: 'failed', reason: 'provider_unavailable' };
      return { kind: 'again', state: 'QUEUED', dueAt: addMs(now, Math.min(elapsed(request.sendCount), pace.giveUpMs) - before) };
    }
    case 'pending':
    case 'unknown':
      return askAgain(request, pace, now);
  }
}

function askAgain({ sentAt, queryCount }: ReversalRequest, pace: ReversalPace, now: Date): ReversalDecision {
  if (sentAt !== null && now >= addMs(sentAt, REVIEW_AFTER_MS)) return { kind: 'unresolved' };
  const pause = doublingDelay(queryCount + 1, pace.unknownQueryMs, Math.min(pace.maxQueryMs, HOUR_MS));
  return { kind: 'again', state: 'UNKNOWN', dueAt: addMs(now, pause) };
}
