import type { FailPoint } from '@/lib/config/fail-point';

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
  prompt('while it queries the outcome and books the payment', [
    'attempt.claimed:2',
    'attempt.held',
    'attempt.called',
    'attempt.answer_stored',
    ...BOOKING,
  ]),
  prompt('while it delivers the webhook', ['delivery.claimed', 'delivery.sent', 'delivery.moved', 'delivery.recorded']),
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
  { what: 'when SENDING is committed', deaths: ['reversal.claimed'], ends: 'unsure' },
  { what: 'when the provider is about to be called', deaths: ['reversal.held'], ends: 'unsure' },
  { what: 'when the provider has answered', deaths: ['reversal.answer_stored'], ends: 'reversed' },
  { what: 'when the answer is applied', deaths: ['reversal.applied'], ends: 'reversed' },
  { what: 'when a review is about to be opened', deaths: ['reversal.claimed', 'reversal.given_up'], ends: 'in review' },
  {
    what: 'from the call until the webhook is sent',
    deaths: [
      'reversal.called',
      'reversal.rescheduled',
      'reversal.held',
      'reversal.called',
      'reversal.answer_stored',
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
  ...[...COMMAND_CASES, ...CALLBACK_CASES].map(({ death }) => death),
  ...STATEMENT_DEATHS,
  ...REDELIVERY_DEATHS,
  CANCEL_DEATH,
  ...SEALER_DEATHS,
  ...NOTICE_DEATHS,
  ...Object.values(REQUEST_DEATHS).flat(),
  ...Object.values(UNREPEATED_DEATHS),
];
