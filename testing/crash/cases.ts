import type { FailPoint } from '@/lib/platform/config/fail-point';

/** The fail point at which a process dies. With `:2`, the process dies when it reaches the fail point for the second time. */
export type Death = FailPoint | `${FailPoint}:${number}`;

/** The status of a bill after everything was restarted and nothing is due. */
export type Ending = 'NOT_PAID' | 'PARTIALLY_PAID' | 'FULLY_PAID';

/**
 * The fail points at which processes die, one after the other. Each restarted process continues the work of the dead process and dies at
 * the next fail point, so a chain also tests crashes during recovery.
 */
interface Chain {
  readonly what: string;
  readonly deaths: readonly Death[];
}

/** A worker dies while it works on an attempt. */
export interface PromptCase extends Chain {
  /** The last three digits of the number decide what the simulated phone does. */
  readonly phone: string;
  readonly ends: Ending;
  /** Whether `npm test` has the case. */
  readonly common?: boolean;
}

const prompt = (what: string, deaths: readonly Death[], phone = '007', ends: Ending = 'FULLY_PAID'): PromptCase => ({
  what,
  deaths,
  phone,
  ends,
});

/** The fail points of booking a payment. */
const BOOKING = [
  'outcome.moved',
  'payment.entered',
  'payment.allocated',
  'outcome.booked',
  'bill.changed',
  'bookings.announced',
  'bookings.written',
  'bookings.committed',
] as const satisfies readonly Death[];

/** The provider sends no callback for phone 007, so the worker must query the outcome. */
export const PROMPT_CASES: readonly PromptCase[] = [
  prompt('when SENDING is committed', ['attempt.claimed']),
  prompt('when the account is assigned', ['attempt.assigned']),
  prompt('when the provider has been called', ['attempt.called']),
  prompt('when its answer is stored', ['attempt.answer_stored']),
  prompt('while the prompt is accepted', ['outcome.moved']),
  prompt('when the prompt is accepted', ['bookings.committed']),
  prompt('when a refusal is stored', ['attempt.answer_stored'], '006', 'NOT_PAID'),
  {
    ...prompt('while it queries the outcome and books the payment', [
      'attempt.claimed:2',
      'attempt.held',
      'attempt.called',
      'attempt.answer_stored',
      ...BOOKING,
    ]),
    common: true,
  },
  {
    ...prompt('while it delivers the webhook', ['delivery.claimed', 'delivery.sent', 'delivery.moved', 'delivery.recorded']),
    common: true,
  },
  prompt('when the answer to the request was lost', ['attempt.called'], '010'),
  prompt('when the request certainly did not reach the provider', ['attempt.claimed:2'], '013', 'NOT_PAID'),
  prompt('while it applies a refusal', ['bookings.written'], '006', 'NOT_PAID'),
  prompt('when half is paid', ['bookings.committed:2'], '009', 'PARTIALLY_PAID'),
  prompt('while it queries whether the request was sent', ['attempt.called', 'outcome.moved', 'bookings.committed', 'attempt.held']),
  prompt('while it finds that the request was not sent', ['attempt.claimed', 'bookings.committed', 'attempt.assigned']),
];

/** A worker dies while it reverses a payment. */
export interface ReversalCase extends Chain {
  /**
   * `unsure`: nobody knows whether the request to reverse was sent, so the request is never repeated. An operator asks the provider and
   * settles the reversal.
   */
  readonly ends: 'reversed' | 'unsure' | 'in review';
}

export const REVERSAL_CASES: readonly ReversalCase[] = [
  { what: 'when SENDING is committed', deaths: ['refund.claimed'], ends: 'unsure' },
  { what: 'when the provider is about to be called', deaths: ['refund.held'], ends: 'unsure' },
  { what: 'when the provider has answered', deaths: ['refund.answer_stored'], ends: 'reversed' },
  { what: 'when the answer is applied', deaths: ['refund.applied'], ends: 'reversed' },
  { what: 'when a review is about to be opened', deaths: ['refund.claimed', 'refund.given_up'], ends: 'in review' },
  {
    what: 'from the call until the webhook is sent',
    deaths: [
      'refund.called',
      'refund.rescheduled',
      'refund.held',
      'refund.called',
      'refund.answer_stored',
      'reversal.entered',
      'reversal.settled',
      'reversal.allocated',
      'bill.changed',
      'bookings.announced',
      'bookings.written',
      'bookings.committed',
      'delivery.sent',
    ],
    ends: 'reversed',
  },
];

/** A worker dies while it pays money out. The operator makes the refunds of this chain payouts. */
export const PAYOUT_DEATHS: readonly Death[] = [
  'refund.called',
  'refund.rescheduled',
  'refund.held',
  'refund.answer_stored',
  'refund.entered',
  'refund.settled',
  'refund.allocated',
  'bill.changed',
  'bookings.written',
  'bookings.committed',
];

/** A worker dies while it issues an instrument. */
export interface InstrumentCase extends Chain {
  /** `lost`: nobody knows whether the request was sent, so it is never repeated, and another one is asked for. */
  readonly ends: 'issued' | 'lost';
}

export const INSTRUMENT_CASES: readonly InstrumentCase[] = [
  { what: 'when SENDING is committed', deaths: ['instrument.claimed'], ends: 'lost' },
  { what: 'when the provider is about to be called', deaths: ['instrument.held'], ends: 'lost' },
  { what: 'when the provider has issued it', deaths: ['instrument.called'], ends: 'issued' },
  { what: 'when the answer is stored', deaths: ['instrument.answer_stored'], ends: 'issued' },
  { what: 'when the answer is applied', deaths: ['instrument.applied'], ends: 'issued' },
  {
    what: 'from the call until a status query shows what was issued',
    deaths: ['instrument.called', 'instrument.claimed', 'instrument.held', 'instrument.answer_stored'],
    ends: 'issued',
  },
];

/** Workers die while one finds the payment of an instrument by a status query, books it, and ends the instrument. */
export const INSTRUMENT_PAYMENT_DEATHS: readonly Death[] = [
  'instrument.claimed',
  'instrument.called',
  'payment.entered',
  'payment.allocated',
  'bill.changed',
  'bookings.announced',
  'bookings.written',
  'bookings.committed',
  'instrument.booked',
];

/** Workers die while one ends the instrument of a bill of which a part was paid in another way, and after another issued the one that replaces it. */
export const INSTRUMENT_CHANGE_DEATHS = {
  while: ['instrument.claimed', 'instrument.ended'],
  after: 'instrument.answer_stored',
} as const satisfies {
  while: readonly Death[];
  after: Death;
};

/** The command dies while an operator records a refund of unmatched money by hand. `done`: true if the refund is stored before that. */
export const OUTSIDE_CASES: readonly { readonly death: Death; readonly done: boolean }[] = [
  { death: 'refund.asked', done: false },
  { death: 'refund.entered', done: false },
  { death: 'refund.settled', done: false },
  { death: 'bookings.written', done: false },
  { death: 'bookings.committed', done: true },
];

/** The command dies while an operator requests a reversal. `asked`: true if the request is stored before the command dies. */
export const COMMAND_CASES: readonly { readonly what: string; readonly death: Death; readonly asked: boolean }[] = [
  { what: 'while the bill’s event is written', death: 'bill.changed', asked: false },
  { what: 'when all is written', death: 'bookings.written', asked: false },
  { what: 'when all is committed', death: 'bookings.committed', asked: true },
];

/** The command dies while it reconciles a statement. The test then repeats the command. */
export const STATEMENT_DEATHS: readonly Death[] = [
  'statement.begun',
  'statement.compared',
  'outcome.moved',
  'unmatched.kept',
  'reversal.entered',
  'bookings.committed',
  'statement.acted',
  'statement.noted',
];

/** Workers die during a bulk redelivery of 2,000 deliveries, 500 a second. Each worker continues where the previous one died. */
export const REDELIVERY_DEATHS: readonly Death[] = [
  'redelivery.reopened',
  'redelivery.advanced',
  'delivery.recorded:40',
  'redelivery.reopened:2',
];

/** The command dies while it cancels a bulk redelivery and restores the earlier state of its deliveries. */
export const CANCEL_DEATH: Death = 'redelivery.taken_back';

/** Workers die while they seal the audit log. Each worker continues where the previous one died. */
export const SEALER_DEATHS: readonly Death[] = ['seal.chained', 'seal.headed', 'seal.committed', 'seal.chained:2'];

/** Workers die while they send notifications to a merchant. Each worker continues where the previous one died. */
export const NOTICE_DEATHS: readonly Death[] = ['notice.claimed', 'notice.queued'];

/** The web process dies during a request, which the client repeats. */
export const REQUEST_DEATHS = {
  create: ['create.asked', 'create.batched', 'create.batch_committed', 'create.committed'],
  /** The first batch has one request. The second batch has all requests that arrived during the first. */
  createMany: ['create.batched:2', 'create.batch_committed:2'],
  page: ['push.queued', 'bill.changed', 'push.committed'],
  paid: ['callback.came', 'callback.stored', 'callback.attached', ...BOOKING],
  returned: ['reversal.entered', 'reversal.allocated', 'bookings.announced', 'bookings.committed'],
  unmatched: ['unmatched.kept', 'reversal.entered', 'reversal.settled', 'bookings.committed', 'callback.applied'],
} as const satisfies Record<string, readonly Death[]>;

/**
 * The web process dies during a callback of the simulated provider. For phone 008, the provider calls back twice. For phone 012, it calls
 * back before it answers the request for the prompt.
 */
export const CALLBACK_CASES: readonly { readonly death: Death; readonly phone: string }[] = [
  { death: 'callback.stored', phone: '001' },
  { death: 'callback.came:2', phone: '008' },
  { death: 'bookings.committed', phone: '012' },
];

/** The web process dies after storing a callback that the provider does not repeat. Then the worker that applies the callback dies. */
export const UNREPEATED_DEATHS = { web: 'callback.stored', worker: 'message.claimed' } as const satisfies Record<string, Death>;

export const ALL_DEATHS: readonly Death[] = [
  ...[...PROMPT_CASES, ...REVERSAL_CASES].flatMap(({ deaths }) => deaths),
  ...PAYOUT_DEATHS,
  ...INSTRUMENT_CASES.flatMap(({ deaths }) => deaths),
  ...INSTRUMENT_PAYMENT_DEATHS,
  ...INSTRUMENT_CHANGE_DEATHS.while,
  INSTRUMENT_CHANGE_DEATHS.after,
  ...[...COMMAND_CASES, ...OUTSIDE_CASES, ...CALLBACK_CASES].map(({ death }) => death),
  ...STATEMENT_DEATHS,
  ...REDELIVERY_DEATHS,
  CANCEL_DEATH,
  ...SEALER_DEATHS,
  ...NOTICE_DEATHS,
  ...Object.values(REQUEST_DEATHS).flat(),
  ...Object.values(UNREPEATED_DEATHS),
];
