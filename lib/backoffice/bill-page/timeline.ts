import type { DeliveryView } from '@/lib/backoffice/delivery-log/delivery-view';
import { BILL_STATUSES, type BillStatus } from '@/lib/gateway/bills/rules';
import type { MessageView } from '@/lib/gateway/messages/message-view';
import { ATTEMPT_STATES, type AttemptState } from '@/lib/gateway/payments/rules';
import { systemActor } from '@/lib/platform/core/actor';
import { type FailureReason, isFailureReason } from '@/lib/providers/port/outcome';
import type { EventRow, NoteRow, PaymentRow, PromptRow } from './timeline-store';

type Reason = FailureReason | null;
/** Why an attempt was cancelled before it was sent. There is no such reason if it was cancelled because the bill was paid meanwhile. */
type Withdrawal = 'merchant_inactive' | 'bill_expired';
/** Where the outcome of an attempt came from; null if it came from a provider message. */
type Via = 'operator' | 'statement' | null;

export type TimelineEntry = Line & {
  /** A permanent id, so that an expanded line stays expanded when new lines are added. */
  readonly id: string;
};

type Line =
  | { readonly kind: 'created'; readonly at: Date; readonly by: string | null }
  | {
      readonly kind: 'prompt';
      readonly at: Date;
      readonly prompt: Omit<PromptRow, 'failureReason'>;
      readonly reason: Reason;
      /** The member who requested the attempt in the dashboard; null if it was requested in another way. */
      readonly by: string | null;
    }
  | {
      readonly kind: 'moved';
      readonly at: Date;
      readonly attemptId: string | null;
      readonly state: AttemptState;
      readonly reason: Reason | Withdrawal;
      readonly mobile: string | null;
      readonly via: Via;
    }
  | { readonly kind: 'payment'; readonly at: Date; readonly payment: PaymentRow & { readonly note: string | null } }
  | { readonly kind: 'unmatched' | 'conflict'; readonly at: Date; readonly transactionId: string; readonly amount: bigint }
  | {
      readonly kind: 'contradicted';
      readonly at: Date;
      readonly transactionId: string;
      /** The amount that the provider reports now. It differs from `recorded`, the amount in the ledger. */
      readonly amount: bigint;
      readonly recorded: bigint;
    }
  | {
      readonly kind: 'corrected';
      readonly at: Date;
      readonly transactionId: string;
      readonly from: bigint;
      readonly to: bigint;
      readonly by: string;
      readonly why: string;
    }
  | {
      readonly kind: 'rerouted';
      readonly at: Date;
      readonly attemptId: string | null;
      readonly mobile: string | null;
      readonly provider: string;
      readonly reason: Reason;
    }
  | {
      readonly kind: 'released';
      readonly at: Date;
      readonly mobile: string | null;
      readonly by: string;
      readonly why: string;
    }
  | {
      readonly kind: 'refundAsked';
      readonly at: Date;
      readonly transactionId: string;
      readonly amount: bigint;
      readonly by: string;
      readonly why: string;
    }
  | { readonly kind: 'refundApproved'; readonly at: Date; readonly transactionId: string; readonly amount: bigint; readonly by: string }
  | {
      readonly kind: 'refundFailed';
      readonly at: Date;
      readonly transactionId: string;
      readonly amount: bigint;
      readonly by: string;
      /** A `RefundFailure`; null if the event has none. */
      readonly reason: string | null;
    }
  | { readonly kind: 'status'; readonly at: Date; readonly status: BillStatus; readonly paid: bigint }
  | { readonly kind: 'webhook'; readonly at: Date; readonly delivery: DeliveryView }
  | { readonly kind: 'message'; readonly at: Date; readonly message: MessageView }
  | { readonly kind: 'note'; readonly at: Date; readonly by: string; readonly text: string }
  | { readonly kind: 'closed' | 'reopened'; readonly at: Date; readonly by: string; readonly why: string }
  | { readonly kind: 'expired'; readonly at: Date }
  | { readonly kind: 'infoChanged'; readonly at: Date; readonly by: string }
  | { readonly kind: 'instrumentAsked'; readonly at: Date; readonly by: string; readonly amount: bigint }
  | { readonly kind: 'other'; readonly at: Date; readonly type: string };

// All rows of one transaction have the same time. Among such rows, causes (with a lower rank) come before their effects.
const RANK: Readonly<Record<TimelineEntry['kind'], number>> = {
  created: 0,
  prompt: 1,
  moved: 2,
  rerouted: 2,
  released: 2,
  refundAsked: 2,
  refundApproved: 2,
  refundFailed: 2,
  closed: 2,
  expired: 2,
  reopened: 2,
  infoChanged: 2,
  instrumentAsked: 2,
  message: 1,
  note: 3,
  other: 3,
  payment: 4,
  unmatched: 4,
  conflict: 4,
  contradicted: 4,
  corrected: 4,
  status: 5,
  webhook: 6,
};

const STATUS_EVENTS: ReadonlyMap<string, BillStatus> = new Map(BILL_STATUSES.map((status) => [`bill.${status.toLowerCase()}`, status]));

const LEDGER_EVENTS: ReadonlySet<string> = new Set(['payment.recorded', 'payment.allocated', 'payment.reversed', 'payment.refunded']);

const STATE_EVENTS: ReadonlyMap<string, AttemptState> = new Map(ATTEMPT_STATES.map((state) => [`attempt.${state.toLowerCase()}`, state]));

interface TimelineParts {
  readonly events: readonly EventRow[];
  readonly prompts: readonly PromptRow[];
  readonly payments: readonly PaymentRow[];
  readonly deliveries: readonly DeliveryView[];
  readonly notes: readonly NoteRow[];
  /** Empty if the member may not read provider messages. */
  readonly messages: readonly MessageView[];
}

/** Merges the rows of a bill into one history, oldest first. */
export function joinTimeline({ events, prompts, payments, deliveries, notes, messages }: TimelineParts): TimelineEntry[] {
  const mobiles = new Map(prompts.map(({ id, mobile }) => [id, mobile]));
  const requesters = new Map(events.filter(({ source }) => source === 'dashboard').map(({ attemptId, by }) => [attemptId, by]));
  const notedPayments = new Map(
    events.filter(({ type }) => type === 'payment.recorded').map(({ transactionId, note }) => [transactionId, note]),
  );
  const entries: TimelineEntry[] = [
    ...events.flatMap((event) => {
      const line = readEvent(event, mobiles);
      return line ? { ...line, id: `event-${event.number}` } : [];
    }),
    ...prompts.map(({ failureReason, ...prompt }) => ({
      kind: 'prompt' as const,
      id: `prompt-${prompt.id}`,
      at: prompt.createdAt,
      prompt,
      reason: readReason(failureReason),
      by: requesters.get(prompt.id) ?? null,
    })),
    ...payments.map((payment) => ({
      kind: 'payment' as const,
      id: `payment-${payment.id}`,
      at: payment.allocatedAt,
      payment: { ...payment, note: notedPayments.get(payment.transactionId) ?? null },
    })),
    ...deliveries.map((delivery) => ({ kind: 'webhook' as const, id: `webhook-${delivery.id}`, at: delivery.createdAt, delivery })),
    ...notes.map(({ id, text, createdBy: by, createdAt: at }) => ({ kind: 'note' as const, id: `note-${id}`, at, by, text })),
    ...messages.map((message) => ({ kind: 'message' as const, id: `message-${message.id}`, at: message.receivedAt, message })),
  ];
  return entries.sort((a, b) => a.at.getTime() - b.at.getTime() || RANK[a.kind] - RANK[b.kind]);
}

/** Returns the line for an event, or null if the line of another row (a ledger entry or an attempt) says the same. */
function readEvent(event: EventRow, mobiles: ReadonlyMap<string, string>): Line | null {
  const { type, at, attemptId } = event;
  if (type === 'bill.created') return { kind: 'created', at, by: event.by };
  // A correction that changed the paid amount is shown by its ledger entry.
  if (type === 'payment.corrected' && event.amount !== '0') return null;
  // The ledger entry or the attempt is shown instead.
  if (LEDGER_EVENTS.has(type) || (type === 'attempt.queued' && (event.source === 'web' || event.source === 'dashboard'))) return null;
  const mobile = mobiles.get(attemptId ?? '') ?? null;
  if (type === 'attempt.rerouted')
    return { kind: 'rerouted', at, attemptId, mobile, provider: event.provider ?? '', reason: readReason(event.reason) };
  if (type === 'attempt.released') return { kind: 'released', at, mobile, by: event.by ?? '', why: event.reason ?? '' };
  if (type === 'bill.closed' && event.by === systemActor('worker').name) return { kind: 'expired', at };
  if (type === 'bill.closed' || type === 'bill.reopened')
    return { kind: type === 'bill.closed' ? 'closed' : 'reopened', at, by: event.by ?? '', why: event.reason ?? '' };
  if (type === 'bill.info_changed') return { kind: 'infoChanged', at, by: event.by ?? '' };
  if (type === 'instrument.asked') return { kind: 'instrumentAsked', at, by: event.by ?? '', amount: BigInt(event.amount ?? 0) };
  const money = { at, transactionId: event.transactionId ?? '', amount: BigInt(event.amount ?? 0) };
  const by = event.by ?? '';
  // Histories from before refunds have events of reversals.
  if (type === 'refund.requested' || type === 'reversal.requested') return { kind: 'refundAsked', ...money, by, why: event.reason ?? '' };
  if (type === 'refund.approved') return { kind: 'refundApproved', ...money, by };
  if (type === 'refund.failed' || type === 'reversal.failed') return { kind: 'refundFailed', ...money, by, reason: event.reason };
  if (type === 'payment.unmatched') return { kind: 'unmatched', ...money };
  if (type === 'payment.conflict') return { kind: 'conflict', ...money };
  if (type === 'payment.corrected') {
    const amounts = { from: BigInt(event.from ?? 0), to: BigInt(event.to ?? 0) };
    return { kind: 'corrected', at, transactionId: money.transactionId, ...amounts, by: event.by ?? '', why: event.reason ?? '' };
  }
  if (type === 'payment.contradicted') return { kind: 'contradicted', ...money, recorded: BigInt(event.ledgerAmount ?? 0) };
  const status = STATUS_EVENTS.get(type);
  if (status) return { kind: 'status', at, status, paid: BigInt(event.amount ?? 0) };
  const state = STATE_EVENTS.get(type);
  if (!state) return { kind: 'other', at, type };
  return {
    kind: 'moved',
    at,
    attemptId,
    state,
    reason: readWithdrawal(event.reason) ?? readReason(event.reason),
    mobile,
    via: readVia(event.source),
  };
}

function readVia(source: string | null): Via {
  return source === 'operator' || source === 'statement' ? source : null;
}

function readWithdrawal(reason: string | null): Withdrawal | null {
  return reason === 'merchant_inactive' || reason === 'bill_expired' ? reason : null;
}

function readReason(reason: string | null): Reason {
  return reason !== null && isFailureReason(reason) ? reason : null;
}

/** An entry of a bill's history, with the entries that belong to it. */
export interface GroupedEntry {
  readonly entry: TimelineEntry;
  /** When the last of its entries happened. */
  readonly at: Date;
  /** The later entries about the same payment request, oldest first. Empty if the entry is not a payment request. */
  readonly steps: readonly TimelineEntry[];
  /** The payment that the payment request led to; null if there is none. */
  readonly payment: PaymentEntry | null;
  /** The status that the bill got by this entry; null if it got none. */
  readonly status: BillStatus | null;
}

export type PaymentEntry = Extract<TimelineEntry, { kind: 'payment' }>;

/**
 * Joins a payment request, its steps and its payment to one entry, which is where the last of them was. The status that a payment,
 * reversal or correction caused is joined to it too. All other entries keep their position, and so does the entry about the release of an
 * attempt by a person.
 */
export function groupEntries(timeline: readonly TimelineEntry[]): GroupedEntry[] {
  const prompts = new Set(timeline.flatMap((entry) => (entry.kind === 'prompt' ? [entry.prompt.id] : [])));
  const groups: (GroupedEntry & { readonly last: number })[] = [];
  for (const entries of Map.groupBy(timeline.entries(), ([, entry]) => groupOf(entry, prompts)).values()) {
    const [first] = entries;
    const last = entries.at(-1);
    if (!first || !last) continue;
    const [, entry] = first;
    const rest = entries.slice(1).map(([, one]) => one);
    const payment = rest.find((one) => one.kind === 'payment') ?? null;
    groups.push({ last: last[0], entry, at: last[1].at, steps: rest.filter((one) => one !== payment), payment, status: null });
  }
  return joinStatuses(groups.sort((a, b) => a.last - b.last));
}

/** Returns the key of the group that an entry belongs to. */
function groupOf(entry: TimelineEntry, prompts: ReadonlySet<string>): string {
  if (entry.kind === 'prompt') return entry.prompt.id;
  const attemptId = entry.kind === 'payment' ? promptOf(entry.payment) : 'attemptId' in entry ? entry.attemptId : null;
  return attemptId !== null && prompts.has(attemptId) ? attemptId : entry.id;
}

/** Returns the payment request that a payment came in by; null for a reversal, a correction and money that a person allocated. */
function promptOf({ kind, amount, allocatedBy, attemptId }: PaymentRow): string | null {
  return kind === 'payment' && amount > 0n && allocatedBy === 'gateway' ? attemptId : null;
}

/** Joins each change of the status to the entry with the money that caused it: the one just before it, of the same transaction. */
function joinStatuses(groups: readonly GroupedEntry[]): GroupedEntry[] {
  const joined: GroupedEntry[] = [];
  for (const group of groups) {
    const before = joined.at(-1);
    const money = before && (before.entry.kind === 'payment' || before.payment !== null);
    if (group.entry.kind === 'status' && money && before.status === null && before.at.getTime() === group.at.getTime())
      joined[joined.length - 1] = { ...before, status: group.entry.status };
    else joined.push(group);
  }
  return joined;
}
