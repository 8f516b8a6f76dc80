import type { FailPoint } from '@/lib/config/fail-point';

/** A death: at a point, and at which time of passing it. */
export type Death = `${FailPoint}` | `${FailPoint}:${number}`;

/** How a bill ends, once everything is started again and nothing is due. */
export type Ending = 'NOT_PAID' | 'PARTIALLY_PAID' | 'FULLY_PAID';

/** A worker dies while it works on the prompt of a bill; again, where several deaths are named. */
export interface PromptCase {
  readonly what: string;
  readonly deaths: readonly Death[];
  /** Last three digits of the number: what the simulated phone does. */
  readonly phone: string;
  readonly ends: Ending;
}

const dies = (what: string, deaths: readonly Death[], phone = '007', ends: Ending = 'FULLY_PAID'): PromptCase => ({
  what,
  deaths,
  phone,
  ends,
});

/** Phone 007 calls nobody back: the worker sends, is told that the prompt was accepted, asks, and is told that it was paid. */
export const PROMPT_CASES: readonly PromptCase[] = [
  dies('SENDING is committed', ['attempt.claimed']),
  dies('the account is assigned', ['attempt.assigned']),
  dies('the provider has been called', ['attempt.called']),
  dies('its answer is stored', ['attempt.answer_stored']),
  dies('the prompt counts as accepted, before the commit', ['outcome.moved']),
  dies('the prompt counts as accepted', ['bookings.committed']),
  dies('the answer to the push was lost', ['attempt.called'], '010'),
  dies('the provider certainly has nothing', ['attempt.claimed:2'], '013', 'NOT_PAID'),
  dies('the provider refuses', ['bookings.written'], '006', 'NOT_PAID'),
  dies('the query is claimed', ['attempt.claimed:2']),
  dies('the query is about to be made', ['attempt.held']),
  dies('the query is answered', ['attempt.called:2']),
  dies('the query’s answer is stored', ['attempt.answer_stored:2']),
  dies('the attempt is moved', ['outcome.moved:2']),
  dies('the payment is in the ledger', ['payment.entered']),
  dies('the payment is allocated', ['payment.allocated']),
  dies('the outcome is booked', ['outcome.booked:2']),
  dies('the bill is changed', ['bill.changed:2']),
  dies('the events are numbered', ['bill.events_numbered:2']),
  dies('the webhook is owed', ['bookings.announced']),
  dies('all is written', ['bookings.written:2']),
  dies('all is committed', ['bookings.committed:2']),
  dies('half is paid', ['bookings.committed:2'], '009', 'PARTIALLY_PAID'),
  dies('the webhook is claimed', ['delivery.claimed']),
  dies('the webhook is received', ['delivery.sent']),
  dies('the webhook is moved', ['delivery.moved']),
  dies('the webhook is recorded', ['delivery.recorded']),
  dies('sent, then again while it is found out', ['attempt.called', 'bookings.committed', 'payment.entered', 'delivery.sent']),
  dies('claimed, then again before it is sent anew', ['attempt.claimed', 'attempt.assigned', 'attempt.held']),
];

/** A worker dies while it has a payment sent back. */
export interface ReversalCase {
  readonly what: string;
  readonly deaths: readonly Death[];
  /** `unsure`: it may have been sent, so it is never sent again; an operator settles it by what the provider says. */
  readonly ends: 'reversed' | 'unsure' | 'in review';
}

const sendsBack = (what: string, deaths: readonly Death[], ends: ReversalCase['ends'] = 'reversed'): ReversalCase => ({
  what,
  deaths,
  ends,
});

export const REVERSAL_CASES: readonly ReversalCase[] = [
  sendsBack('SENDING is committed', ['reversal.claimed'], 'unsure'),
  sendsBack('the provider is about to be called', ['reversal.held'], 'unsure'),
  sendsBack('the provider has been called', ['reversal.called']),
  sendsBack('its answer is stored', ['reversal.answer_stored']),
  sendsBack('it is rescheduled', ['reversal.rescheduled']),
  sendsBack('the query is answered', ['reversal.called:2']),
  sendsBack('the reversal is in the ledger', ['reversal.entered']),
  sendsBack('the request is settled', ['reversal.settled']),
  sendsBack('the allocation is taken back', ['reversal.allocated']),
  sendsBack('the bill is changed', ['bill.changed']),
  sendsBack('the webhook is owed', ['bookings.announced']),
  sendsBack('all is committed', ['bookings.committed']),
  sendsBack('a person is about to be asked', ['reversal.claimed', 'reversal.given_up'], 'in review'),
];

/** The command line dies while an operator asks for a payment to be sent back. */
export const COMMAND_CASES: readonly { readonly what: string; readonly death: Death; readonly asked: boolean }[] = [
  { what: 'the bill’s event is written', death: 'bill.events_numbered', asked: false },
  { what: 'all is written', death: 'bookings.written', asked: false },
  { what: 'all is committed', death: 'bookings.committed', asked: true },
];

/** The web process dies while a merchant creates a bill, with an Idempotency-Key. */
export const CREATE_DEATHS: readonly Death[] = ['create.asked', 'create.committed'];

/** … while a customer asks for a prompt from the payment page. */
export const PAGE_DEATHS: readonly Death[] = ['push.queued', 'bill.changed', 'bill.events_numbered', 'push.committed'];

/** … while the provider calls back. Phone 008 calls twice, 012 before it has answered the push. */
export const CALLBACK_CASES: readonly { readonly death: Death; readonly phone: string }[] = [
  { death: 'callback.came', phone: '001' },
  { death: 'callback.stored', phone: '001' },
  { death: 'callback.attached', phone: '001' },
  { death: 'outcome.moved', phone: '001' },
  { death: 'payment.entered', phone: '001' },
  { death: 'payment.allocated', phone: '001' },
  { death: 'outcome.booked', phone: '001' },
  { death: 'bill.changed', phone: '001' },
  { death: 'bookings.announced', phone: '001' },
  { death: 'bookings.written', phone: '001' },
  { death: 'bookings.committed', phone: '001' },
  { death: 'callback.came:2', phone: '008' },
  { death: 'callback.stored', phone: '012' },
  { death: 'bookings.committed', phone: '012' },
];

/** … while the provider says that money went back, which nobody had asked for. */
export const TAKEN_BACK_DEATHS: readonly Death[] = [
  'callback.stored',
  'reversal.entered',
  'reversal.allocated',
  'bookings.announced',
  'bookings.committed',
];

/** … while the provider reports money, gone back since, under a reference that is none of ours. */
export const UNMATCHED_DEATHS: readonly Death[] = ['callback.kept_unmatched', 'reversal.entered', 'bookings.committed'];

export const ALL_DEATHS: readonly Death[] = [
  ...[...PROMPT_CASES, ...REVERSAL_CASES].flatMap(({ deaths }) => deaths),
  ...[...COMMAND_CASES, ...CALLBACK_CASES].map(({ death }) => death),
  ...CREATE_DEATHS,
  ...PAGE_DEATHS,
  ...TAKEN_BACK_DEATHS,
  ...UNMATCHED_DEATHS,
];
