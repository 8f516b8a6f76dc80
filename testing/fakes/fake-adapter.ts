import { refusesMerchant } from '@/lib/gateway/payments/rules';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import type { Instruments } from '@/lib/providers/port/instrument';
import type { Outcome } from '@/lib/providers/port/outcome';
import type { ProviderAccount, ProviderAdapter, RawAnswer } from '@/lib/providers/port/port';
import { FAKE_OFFERS } from './fake-instruments';
import type { FakeProvider } from './fake-provider';
import { type InstrumentReport, type Report, signsCallbacks, type Till, type Variant } from './fake-record';
import {
  decode,
  encode,
  noticeSchema,
  read,
  readInstrumentChange,
  readInstrumentStatus,
  readIssue,
  readPayout,
  readReversal,
} from './fake-wire';

/** What happens during one call. `dies_…`: the worker dies before the call, after it, or after storing the answer. */
export const FATES = [
  'answered',
  'answer_lost',
  'lost',
  'not_sent',
  'unreadable',
  'dies_before',
  'dies_after',
  'dies_stored',
  'hangs_before',
  'hangs_after',
  'hangs_unsent',
] as const;

export interface CallScript {
  readonly fate: (typeof FATES)[number];
  /** How the provider reacts. 0 is the normal case. The meaning of other numbers depends on the call. */
  readonly word: number;
  /** Resolves when a hanging call continues. */
  readonly hang: () => Promise<void>;
  /** True if the worker dies at one of its database statements. Then it is unknown whether the worker stores the answer before it dies. */
  readonly dies: boolean;
  /** Called at the start of a call, with our reference. */
  readonly begin: (kind: CallKind, reference: string) => void;
}

export type CallKind = 'send' | 'query';

/** Thrown where the worker died. */
export class Crash extends Error {
  override readonly name = 'Crash';
}

/** Records what the provider reported. Tests check that the gateway has stored all of it, and has settled no attempt without a report. */
export interface Heard {
  /** The number of answers that reached a living worker. */
  answers: number;
  /** The number of answers to workers that died afterwards. A worker may have stored its answer before it died, or not. */
  unsure: number;
  /**
   * `<our reference> <kind>` for each report about an attempt, and also `<our reference> lie` if the report was false. If a request is
   * answered with a refusal of the merchant, its kind is `refused`: it says nothing about other requests.
   */
  readonly words: Set<string>;
  /** By our reference: the moment at which the provider last reported a paid attempt as failed or expired. */
  readonly denied: Map<string, number>;
}

/** Returns the header with which the provider signs the callbacks of an account. */
export function signatureOf({ callbackUrl }: Pick<ProviderAccount, 'callbackUrl'>): string {
  return `genuine ${callbackUrl.split('/').at(-1)}`;
}

/** Senti. A smaller refund goes back by hand. */
const SMALLEST_PAYOUT = 200n;

const REPLY = { status: 200, body: '', contentType: 'text/plain' } as const;
const LIES: readonly (Report | null)[] = [
  null,
  { kind: 'not_found' },
  { kind: 'pending' },
  { kind: 'failed', reason: 'rejected' },
  { kind: 'expired' },
];

interface FakeAdapterOptions {
  readonly provider: FakeProvider;
  readonly heard: Heard;
  readonly variant: Variant;
  readonly script: CallScript;
  readonly tillOf: (accountId: string) => Till;
}

/** Creates an adapter for one call by one worker. The call follows the script. */
export function fakeAdapter({ provider, heard, variant, script, tillOf }: FakeAdapterOptions): ProviderAdapter {
  async function call(arrive: () => Report | InstrumentReport): Promise<RawAnswer> {
    const answer = await travel(arrive);
    if (script.dies) heard.unsure += 1;
    else heard.answers += 1;
    return answer;
  }

  async function travel(arrive: () => Report | InstrumentReport): Promise<RawAnswer> {
    const nothing = { status: null, headers: {}, body: new Uint8Array() };
    switch (script.fate) {
      case 'lost':
        return { ...nothing, lost: 'unknown', error: 'reset' };
      case 'hangs_unsent':
        await script.hang();
        return { ...nothing, lost: 'not_sent', error: 'connection time-out' };
      case 'not_sent':
        return { ...nothing, lost: 'not_sent', error: 'refused' };
      case 'dies_before':
        throw new Crash();
      case 'hangs_before':
        await script.hang();
    }
    const body = encode(arrive());
    switch (script.fate) {
      case 'answer_lost':
        return { ...nothing, lost: 'unknown', error: 'time-out' };
      case 'dies_after':
        throw new Crash();
      case 'hangs_after':
        await script.hang();
    }
    const readable = script.fate !== 'unreadable';
    return { status: readable ? 200 : 502, headers: {}, body: readable ? body : encode('<html>'), lost: null, error: null };
  }

  function noteAnswer(reference: string, report: Report): Report {
    const isRefusal = report.kind === 'failed' && report.reason === 'merchant_config';
    return note(reference, report, isRefusal ? 'refused' : report.kind);
  }

  function note(reference: string, report: Report, word: string, lie = false): Report {
    heard.words.add(`${reference} ${word}`);
    if (lie) heard.words.add(`${reference} lie`);
    const denies = report.kind === 'failed' || report.kind === 'expired';
    if (denies && provider.prompts.get(reference)?.status === 'paid') heard.denied.set(reference, provider.nextMoment());
    return report;
  }

  /** Interprets an answer that the worker has stored. Throws instead if the script of the call lets the worker die after storing it. */
  function interpret<Word>(meaning: () => Word): Word {
    if (script.fate === 'dies_stored') throw new Crash();
    return meaning();
  }

  const readPush = (answer: RawAnswer) => interpret((): Outcome => (answer.lost ? { kind: answer.lost } : read(decode(answer.body))));

  const reversals: ProviderAdapter['reversals'] = {
    partial: true,
    send(account, reversal) {
      script.begin('send', reversal.reference);
      return call(() => provider.receiveReversal(tillOf(account.id), reversal, script.word % 3));
    },
    readAnswer: (answer) => interpret(() => readReversal(answer, variant)),
    query(account, { reference, transactionId }) {
      script.begin('query', reference);
      return call(() =>
        variant === 'unsigned' ? provider.reportReversed(tillOf(account.id), transactionId) : provider.answerRefundQuery(reference),
      );
    },
    readStatus: (answer) => interpret(() => readReversal(answer, variant)),
  };

  const payouts: ProviderAdapter['payouts'] = {
    minAmount: SMALLEST_PAYOUT,
    maxAmount: 1_000_000_000n,
    networks: ['airtel', 'halotel'],
    offeredBy: () => true,
    send(account, payout) {
      script.begin('send', payout.reference);
      return call(() => provider.receivePayout(tillOf(account.id), payout, script.word % 5));
    },
    readAnswer: (answer) => interpret(() => readPayout(answer)),
    query(_account, { reference, providerReference }) {
      script.begin('query', reference);
      return call(() => provider.answerPayoutQuery(reference, providerReference));
    },
    readStatus: (answer) => interpret(() => readPayout(answer)),
  };

  const changeBy = (change: FakeProvider['cancelInstrument']): Instruments['cancel'] => ({
    send(_account, instrument) {
      script.begin('query', instrument.reference);
      return call(() => change(instrument, script.word % 3));
    },
    readAnswer: readInstrumentChange,
  });

  const instruments: Instruments = {
    offers: [FAKE_OFFERS[variant]],
    offeredBy: () => true,
    send(account, instrument) {
      script.begin('send', instrument.reference);
      return call(() => provider.receiveInstrument(tillOf(account.id), instrument, script.word % 5));
    },
    readAnswer: (answer) => interpret(() => readIssue(answer)),
    query(_account, instrument) {
      script.begin('query', instrument.reference);
      return call(() => {
        const isLie = script.word === 1;
        if (isLie) heard.words.add(`${instrument.reference} lie`);
        return isLie ? { kind: 'not_found' } : provider.answerInstrumentQuery(instrument);
      });
    },
    readStatus: (answer) => interpret(() => readInstrumentStatus(answer)),
    cancel: variant === 'unsigned' ? null : changeBy(provider.cancelInstrument),
    changeAmount: variant === 'repeating' ? changeBy(provider.changeInstrument) : null,
  };

  return {
    name: `fake-${variant}`,
    capabilities: {
      firstQueryMs: 10 * SECOND_MS,
      unknownQueryMs: 3 * SECOND_MS,
      maxQueryMs: HOUR_MS,
      retryMs: 2 * SECOND_MS,
      giveUpMs: 2 * MINUTE_MS,
      promptMs: 2 * MINUTE_MS,
      refusesDuplicates: variant !== 'unsigned',
      queriedBy: variant === 'repeating' ? 'providerReference' : 'reference',
      repeatsAnswerMs: variant === 'repeating' ? DAY_MS : 0,
      signsCallbacks: signsCallbacks(variant),
      indexingMs: 5 * SECOND_MS,
      networks: ['vodacom', 'airtel', 'halotel', 'yas'],
      minAmount: 100n,
      maxAmount: 1_000_000_000n,
    },
    simulatesFailures: false,
    callsAtOnce: () => (variant === 'unsigned' ? 1 : 25),
    callsPerMinute: () => null,
    addressOf: () => null,
    tillOf: (credentials) =>
      credentials === null
        ? null
        : { name: 'application', shown: `the application ${credentials}`, key: credentials, isBusinessNumber: false },
    checkCredentials: () => [],
    send(account, push) {
      script.begin('send', push.reference);
      const till = tillOf(account.id);
      const wasRefused = provider.expectRequest(till, push.reference);
      return call(() => noteAnswer(push.reference, provider.receivePrompt(till, push, script.word % 8))).then((answer) => {
        const outcome: Outcome = answer.lost ? { kind: answer.lost } : read(decode(answer.body));
        if (outcome.kind === 'not_sent' || refusesMerchant(outcome) || provider.repeatsRefusal(till, push.reference)) wasRefused();
        return answer;
      });
    },
    readAnswer: readPush,
    query(account, { reference, providerReference }) {
      script.begin('query', reference);
      return call(() => {
        const lie = LIES[script.word % 6] ?? null;
        const report = lie ?? provider.answerQuery(tillOf(account.id), reference, providerReference);
        return note(reference, report, report.kind, lie !== null);
      });
    },
    // Without an answer, a query shows nothing about the attempt, even if the query reached the provider.
    readStatus: (answer) => interpret((): Outcome => (answer.lost ? { kind: 'unknown' } : read(decode(answer.body)))),
    readCallback(account, { headers, body }) {
      const notice = noticeSchema.safeParse(decode(body)).data;
      if (!notice) return { reference: null, reply: REPLY, verified: false, outcome: null, claimsPaid: false };
      const { reference } = notice;
      return headers.signature === signatureOf(account)
        ? { reference, reply: REPLY, verified: true, outcome: read(notice.report) }
        : { reference, reply: REPLY, verified: false, outcome: null, claimsPaid: read(notice.report).kind === 'paid' };
    },
    statement: null,
    payouts: variant === 'repeating' ? payouts : null,
    instruments,
    reversals: variant === 'repeating' ? null : reversals,
  };
}
