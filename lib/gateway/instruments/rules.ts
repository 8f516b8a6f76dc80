import { isClosed, remainingAmount } from '@/lib/gateway/bills/rules';
import { type Pace, REVIEW_AFTER_MS } from '@/lib/gateway/payments/rules';
import { doublingDelay } from '@/lib/platform/core/backoff';
import { addMs, DAY_MS, HOUR_MS } from '@/lib/platform/core/clock';
import { roundUpToShilling, type Senti } from '@/lib/platform/core/money';
import type { Environment } from '@/lib/platform/core/scope';
import type { InstrumentOffer, InstrumentStatus, IssuedWays, IssueOutcome } from '@/lib/providers/port/instrument';
import type { FailureReason } from '@/lib/providers/port/outcome';

/** The states of an instrument. `ASKED`: a worker sends the request. `ENDED`: nobody is asked to pay it any more, but somebody may still do so. */
export const INSTRUMENT_STATES = ['ASKED', 'SENDING', 'UNKNOWN', 'ACTIVE', 'ENDED'] as const;
export type InstrumentState = (typeof INSTRUMENT_STATES)[number];

/** The next states of each state. */
export const INSTRUMENT_TRANSITIONS: Readonly<Record<InstrumentState, readonly InstrumentState[]>> = {
  ASKED: ['SENDING', 'ENDED'],
  SENDING: ['ASKED', 'UNKNOWN', 'ACTIVE', 'ENDED'],
  UNKNOWN: ['ACTIVE', 'ENDED'],
  ACTIVE: ['ENDED'],
  ENDED: [],
};

/**
 * Why an instrument has ended. `changed`: the bill has another remaining amount. `refused`: the provider did not issue it. `lost`: the answer
 * of the provider was lost, so that nobody knows what it has issued.
 */
export const INSTRUMENT_ENDS = ['paid', 'changed', 'closed', 'expired', 'refused', 'lost'] as const;
export type InstrumentEnd = (typeof INSTRUMENT_ENDS)[number];

/** What a customer can pay without a prompt. Amounts are senti. */
export interface Instrument extends IssuedWays {
  readonly id: string;
  readonly environment: Environment;
  readonly merchantId: string;
  readonly billId: string;
  readonly providerAccountId: string;
  /** The kind of the provider's offer. */
  readonly kind: string;
  readonly state: InstrumentState;
  readonly amount: Senti;
  /** Unique: 20 upper-case letters and digits. */
  readonly ourReference: string;
  readonly providerReference: string | null;
  /** An `InstrumentEnd`; null until it has ended. */
  readonly endReason: string | null;
  /** A `FailureReason` if the provider refused to issue it, else null. */
  readonly failureReason: string | null;
  readonly sendCount: number;
  readonly queryCount: number;
  /** Whether the provider refuses to cancel it. */
  readonly cancelRefused: boolean;
  readonly leaseToken: number;
  readonly createdAt: Date;
  readonly sentAt: Date | null;
  readonly expiresAt: Date | null;
  readonly endedAt: Date | null;
  /** Since when the provider says that nobody can pay it; null until it says so. */
  readonly closedAt: Date | null;
}

/** What decides about the instruments of a bill. */
export interface InstrumentBill {
  readonly amount: Senti;
  readonly paidAmount: Senti;
  readonly closedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly merchantActive: boolean;
}

/**
 * Returns what instruments of a bill ask for: the remaining amount in whole shillings. Open prompts do not reduce it, because an instrument
 * reserves nothing. 0 if nobody may be asked to pay.
 */
export function instrumentAmount(bill: InstrumentBill, now: Date): Senti {
  return bill.merchantActive && !isClosed(bill, now) ? roundUpToShilling(remainingAmount(bill)) : 0n;
}

/** Why an instrument must end now, or `changed` if its amount is not that of the bill any more; null if customers may pay it. */
export function endOf(instrument: Pick<Instrument, 'amount' | 'expiresAt'>, bill: InstrumentBill, now: Date): InstrumentEnd | null {
  if (remainingAmount(bill) === 0n) return 'paid';
  const due = instrumentAmount(bill, now);
  if (due === 0n) return 'closed';
  if (instrument.expiresAt !== null && instrument.expiresAt <= now) return 'expired';
  return due === instrument.amount ? null : 'changed';
}

/** An offer of a provider that has not been taken for a bill yet. */
export interface Choice {
  readonly accountId: string;
  readonly offer: InstrumentOffer;
}

/** Whether an instrument asks for what is due now. An `open` one takes any amount, so that it never becomes outdated. */
export function isCurrent({ amount }: Pick<Instrument, 'amount'>, offer: Pick<InstrumentOffer, 'takes'> | undefined, due: Senti): boolean {
  return amount === due || offer?.takes === 'open';
}

/** What an offer gives a customer: each of its ways, and a number for each network whose wallet can pay it. */
function usesOf({ ways, networks }: Pick<InstrumentOffer, 'ways' | 'networks'>): string[] {
  return ways.flatMap((way) => (way === 'number' && networks.length > 0 ? networks.map((network) => `number ${network}`) : [way]));
}

/**
 * Returns the fewest offers, of the first accounts, that give a customer each way to pay which the bill does not have yet.
 * @param covered the offers of the instruments that the bill has.
 */
export function chooseOffers(choices: readonly Choice[], covered: readonly Choice['offer'][], amount: Senti): Choice[] {
  const given = new Set(covered.flatMap(usesOf));
  return choices.filter(({ offer }) => {
    const uses = usesOf(offer);
    if (amount < offer.minAmount || amount > offer.maxAmount || uses.every((use) => given.has(use))) return false;
    for (const use of uses) given.add(use);
    return true;
  });
}

type InstrumentPace = Pick<Pace, 'firstQueryMs' | 'unknownQueryMs' | 'maxQueryMs' | 'retryMs' | 'giveUpMs' | 'indexingMs'> & {
  readonly signsCallbacks: boolean;
};

/** What an answer changes on an instrument. */
export interface InstrumentMove {
  readonly state: InstrumentState;
  /** When the next step is due; null for never. */
  readonly dueAt: Date | null;
  readonly issued?: Extract<IssueOutcome, { kind: 'issued' }>;
  /** Why it has ended. Missing if the state stays the same. */
  readonly end?: InstrumentEnd;
  readonly failureReason?: FailureReason;
  /** Whether the provider says that nobody can pay it. */
  readonly closed?: boolean;
}

/** Decides what the answer to the request changes on an instrument that is being sent. */
export function decideIssue(
  instrument: Pick<Instrument, 'sendCount' | 'queryCount'>,
  outcome: IssueOutcome,
  pace: InstrumentPace,
  now: Date,
): InstrumentMove {
  switch (outcome.kind) {
    case 'issued':
      return { state: 'ACTIVE', issued: outcome, dueAt: addMs(now, pace.firstQueryMs) };
    case 'refused':
      return { state: 'ENDED', end: 'refused', failureReason: outcome.reason, closed: true, dueAt: null };
    case 'unknown':
      return { state: 'UNKNOWN', dueAt: addMs(now, pace.unknownQueryMs) };
    case 'not_sent': {
      const elapsed = pace.retryMs * (2 ** instrument.sendCount - 1);
      if (elapsed >= pace.giveUpMs)
        return { state: 'ENDED', end: 'refused', failureReason: 'provider_unavailable', closed: true, dueAt: null };
      return { state: 'ASKED', dueAt: addMs(now, doublingDelay(instrument.sendCount, pace.retryMs, pace.giveUpMs)) };
    }
  }
}

/** The delay before the next status query, milliseconds. */
function queryDelay({ state, queryCount }: Pick<Instrument, 'state' | 'queryCount'>, pace: InstrumentPace): number {
  // If callbacks are signed, they usually come first. Many instruments stay open for weeks.
  const longest = pace.signsCallbacks && state !== 'UNKNOWN' ? DAY_MS : Math.min(pace.maxQueryMs, HOUR_MS);
  return doublingDelay(queryCount + 1, state === 'UNKNOWN' ? pace.unknownQueryMs : pace.firstQueryMs, longest);
}

/** Decides what a status answer changes on an instrument. Its payments are booked apart from this. */
export function decideStatus(
  instrument: Pick<Instrument, 'state' | 'queryCount' | 'sentAt' | 'endedAt' | 'closedAt'>,
  status: InstrumentStatus,
  pace: InstrumentPace,
  now: Date,
): InstrumentMove {
  const { state, sentAt, endedAt, closedAt } = instrument;
  const since = (at: Date | null) => (at === null ? 0 : now.getTime() - at.getTime());
  const later = { state, dueAt: addMs(now, queryDelay(instrument, pace)) };
  // A provider may show an instrument only some seconds after it has issued it.
  const missing = status.kind === 'not_found' && since(sentAt) >= pace.indexingMs;
  switch (state) {
    case 'UNKNOWN':
      // The next step follows at once, because the bill may have changed meanwhile.
      if (status.kind === 'open' && status.issued) return { state: 'ACTIVE', issued: status.issued, dueAt: now };
      if (status.kind === 'ended' || missing) return { state: 'ENDED', end: 'lost', closed: true, dueAt: null };
      if (status.kind === 'open' || since(sentAt) >= REVIEW_AFTER_MS) return { state: 'ENDED', end: 'lost', dueAt: now };
      // Until then, "not found" says nothing.
      return status.kind === 'not_found' && sentAt !== null ? { state, dueAt: addMs(sentAt, pace.indexingMs) } : later;
    case 'ACTIVE':
      if (status.kind === 'ended')
        return { state: 'ENDED', end: status.payments.length > 0 ? 'paid' : 'expired', closed: true, dueAt: null };
      // Another query confirms it, because the provider has issued the instrument.
      return missing ? { state: 'ENDED', end: 'expired', dueAt: addMs(now, pace.unknownQueryMs) } : later;
    case 'ENDED': {
      if (status.kind === 'ended' || missing) return { state, closed: true, dueAt: null };
      // A silent provider is asked for longer, because its silence does not prove that nobody paid.
      const longest = status.kind === 'unknown' ? 2 * REVIEW_AFTER_MS : closedAt !== null ? 0 : REVIEW_AFTER_MS;
      return since(endedAt) >= longest ? { state, dueAt: null } : later;
    }
    default:
      throw new Error(`the status of an instrument that is ${state} was queried`);
  }
}

/**
 * Decides when the next step follows a request to change or cancel an instrument. After a success, one more query finds what was paid just
 * before.
 */
export function decideChange(
  instrument: Pick<Instrument, 'state' | 'queryCount'>,
  result: 'done' | 'refused' | 'unknown',
  pace: InstrumentPace,
  now: Date,
): InstrumentMove {
  const { state } = instrument;
  const delay = { done: pace.unknownQueryMs, refused: 0, unknown: queryDelay(instrument, pace) }[result];
  return { state, dueAt: addMs(now, delay), closed: state === 'ENDED' && result === 'done' };
}
