import type { FailPoint } from '@/lib/config/fail-point';

/** A death: at a point, and at which time of passing it. */
export type Death = FailPoint | `${FailPoint}:${number}`;

/** How a bill ends, once everything is started again and nothing is due. */
export type Ending = 'NOT_PAID' | 'PARTIALLY_PAID' | 'FULLY_PAID';

/**
 * Who dies, at which points, one after the other: each restart goes on with what the death before has left, and dies at the
 * next. So a chain is also the test of a crash while a crash is made good.
 */
interface Chain {
  readonly what: string;
  readonly deaths: readonly Death[];
}

/** A worker dies while it works on the prompt of a bill. */
export interface PromptCase extends Chain {
  /** Last three digits of the number: what the simulated phone does. */
  readonly phone: string;
  readonly ends: Ending;
}

const prompt = (what: string, deaths: readonly Death[], phone = '007', ends: Ending = 'FULLY_PAID'): PromptCase => ({
  what,
  deaths,
  phone,
  ends,
});

/** What is passed while a payment is booked. */
const BOOKING = [
  'outcome.moved',
  'payment.entered',
  'payment.allocated',
  'outcome.booked',
  'bill.changed',
  'bill.events_numbered',
  'bookings.announced',
  'bookings.written',
  'bookings.committed',
] as const satisfies readonly Death[];

/** Phone 007 calls nobody back: the worker sends, is told that the prompt was accepted, asks, and is told that it was paid. */
export const PROMPT_CASES: readonly PromptCase[] = [
  prompt('when SENDING is committed', ['attempt.claimed']),
  prompt('when the account is assigned', ['attempt.assigned']),
  prompt('when the provider has been called', ['attempt.called']),
  prompt('when its answer is stored', ['attempt.answer_stored']),
  prompt('while the prompt is accepted', ['outcome.moved']),
  prompt('when the prompt is accepted', ['bookings.committed']),
  prompt('when a refusal is stored', ['attempt.answer_stored'], '006', 'NOT_PAID'),
  prompt('while it asks what became of it, and is told that it is paid', [
    'attempt.claimed:2',
    'attempt.held',
    'attempt.called',
    'attempt.answer_stored',
    ...BOOKING,
  ]),
  prompt('while it delivers the webhook', ['delivery.claimed', 'delivery.sent', 'delivery.moved', 'delivery.recorded']),
  prompt('when the answer to the push was lost', ['attempt.called'], '010'),
  prompt('when the provider certainly has nothing', ['attempt.claimed:2'], '013', 'NOT_PAID'),
  prompt('while the provider refuses', ['bookings.written'], '006', 'NOT_PAID'),
  prompt('when half is paid', ['bookings.committed:2'], '009', 'PARTIALLY_PAID'),
  prompt('while it finds out whether it was sent', ['attempt.called', 'outcome.moved', 'bookings.committed', 'attempt.held']),
  prompt('while it finds out that it was not sent', ['attempt.claimed', 'bookings.committed', 'attempt.assigned']),
];

/** A worker dies while it has a payment sent back. */
export interface ReversalCase extends Chain {
  /** `unsure`: it may have been sent, so it is never sent again; an operator settles it by what the provider says. */
  readonly ends: 'reversed' | 'unsure' | 'in review';
}

export const REVERSAL_CASES: readonly ReversalCase[] = [
  { what: 'when SENDING is committed', deaths: ['reversal.claimed'], ends: 'unsure' },
  { what: 'when the provider is about to be called', deaths: ['reversal.held'], ends: 'unsure' },
  { what: 'when the provider has answered', deaths: ['reversal.answer_stored'], ends: 'reversed' },
  { what: 'when the answer is applied', deaths: ['reversal.applied'], ends: 'reversed' },
  { what: 'when a person is about to be asked', deaths: ['reversal.claimed', 'reversal.given_up'], ends: 'in review' },
  {
    what: 'from the call until the merchant is told',
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

/** The command line dies while an operator asks for a payment to be sent back. */
export const COMMAND_CASES: readonly { readonly what: string; readonly death: Death; readonly asked: boolean }[] = [
  { what: 'while the bill’s event is written', death: 'bill.events_numbered', asked: false },
  { what: 'when all is written', death: 'bookings.written', asked: false },
  { what: 'when all is committed', death: 'bookings.committed', asked: true },
];

/** The command line dies while an operator has a provider's statement held against the ledger, and is asked for it again. */
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

/** Workers die while they send two thousand webhooks again, 500 a second; each goes on where the one before has died. */
export const REDELIVERY_DEATHS: readonly Death[] = [
  'redelivery.reopened',
  'redelivery.advanced',
  'delivery.recorded:40',
  'redelivery.reopened:2',
];

/** The command line dies while an operator has such a run cancelled, and what it has set going taken back. */
export const CANCEL_DEATH: Death = 'redelivery.taken_back';

/** Workers die while they chain the audit log; each goes on where the one before has died. */
export const SEALER_DEATHS: readonly Death[] = ['seal.chained', 'seal.headed', 'seal.committed', 'seal.chained:2'];

/** Workers die while they write to a merchant about news; each goes on where the one before has died. */
export const NOTICE_DEATHS: readonly Death[] = ['notice.claimed', 'notice.queued'];

/** The web process dies while somebody asks it for something, who then asks again. */
export const REQUEST_DEATHS = {
  create: ['create.asked', 'create.committed'],
  page: ['push.queued', 'bill.changed', 'bill.events_numbered', 'push.committed'],
  paid: ['callback.came', 'callback.stored', 'callback.attached', ...BOOKING],
  takenBack: ['reversal.entered', 'reversal.allocated', 'bookings.announced', 'bookings.committed'],
  unmatched: ['unmatched.kept', 'reversal.entered', 'reversal.settled', 'bookings.committed', 'callback.applied'],
} as const satisfies Record<string, readonly Death[]>;

/** The web process dies while the simulated provider calls back: phone 008 calls twice, 012 before it has answered the push. */
export const CALLBACK_CASES: readonly { readonly death: Death; readonly phone: string }[] = [
  { death: 'callback.stored', phone: '001' },
  { death: 'callback.came:2', phone: '008' },
  { death: 'bookings.committed', phone: '012' },
];

/** Web dies when it has stored a callback that the provider does not repeat; then the worker that is to apply it. */
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
