import type { z } from 'zod';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { parseMobile, toInternational } from '@/lib/platform/core/mobile';
import { SENTI_PER_SHILLING, type Senti, toWholeShillings } from '@/lib/platform/core/money';
import type { Network } from '@/lib/platform/core/network';
import type { FailureReason, Outcome } from '@/lib/providers/port/outcome';
import type { ProviderAccount, ProviderAdapter, RawAnswer, Refund, RefundOutcome } from '@/lib/providers/port/port';
import { callJson, jsonReply, notSent, parseJson } from '@/lib/providers/port/raw-answer';
import { createSandboxInstruments } from './instruments';
import { PROMPT_MS } from './outcomes';
import {
  answerSchema,
  isSignedBy,
  type NewSandboxInstrument,
  refundSchema,
  reportSchema,
  SANDBOX_STATEMENT,
  type SandboxPayout,
  type SandboxPrompt,
  type SandboxReversal,
  type SandboxStatus,
  SIGNATURE_HEADER,
} from './wire';

interface SandboxOptions {
  /** The address of the simulated provider; null in a process that only reads callbacks. */
  readonly url: string | null;
  readonly callbackKey: Uint8Array;
  /** Multiplies all delays, for tests. */
  readonly delayFactor: number;
}

const CALL_TIMEOUT_MS = 10 * SECOND_MS;
/** High, because the simulated provider runs in the worker and has no limit of its own. */
const CALLS_AT_ONCE = 100;

const MIN_AMOUNT = SENTI_PER_SHILLING;
const MAX_AMOUNT = 1_000_000_000n * SENTI_PER_SHILLING;
/** The networks differ, so that developers can try each way: payments of Halotel go back as payouts, those of TTCL by hand. */
const REVERSAL_NETWORKS: readonly Network[] = ['vodacom', 'yas', 'airtel'];
const PAYOUT_NETWORKS: readonly Network[] = [...REVERSAL_NETWORKS, 'halotel'];

const FAILURES: Readonly<Partial<Record<SandboxStatus, FailureReason>>> = {
  DECLINED: 'user_cancelled',
  WRONG_PIN: 'wrong_pin',
  INSUFFICIENT_BALANCE: 'insufficient_funds',
};

const ANSWERS: Readonly<Record<z.infer<typeof answerSchema>['status'], Outcome | null>> = {
  ACCEPTED: { kind: 'accepted', providerReference: null },
  NOT_REGISTERED: { kind: 'failed', reason: 'mobile_not_registered' },
  LIMIT_EXCEEDED: { kind: 'failed', reason: 'limit_exceeded' },
  UNAVAILABLE: { kind: 'not_sent' },
  DUPLICATE: { kind: 'duplicate' },
  NOT_PAID: null,
  REFUSED: null,
  NOT_FOUND: null,
};

function toShillings(amount: Senti): number {
  return Number(toWholeShillings(amount));
}

/** Creates the adapter of the simulated provider. It uses HTTP, like the adapter of a real provider. */
export function createSandboxAdapter({ url, callbackKey, delayFactor }: SandboxOptions): ProviderAdapter {
  const call = async (
    method: 'GET' | 'POST',
    path: string,
    signal: AbortSignal,
    body?: SandboxPrompt | SandboxReversal | SandboxPayout | NewSandboxInstrument | { readonly amount: number },
  ): Promise<RawAnswer> => {
    if (url === null) return notSent('this process has no simulated provider to call');
    return callJson(`${url}${path}`, { method, headers: { accept: 'application/json' }, body, timeoutMs: CALL_TIMEOUT_MS, signal });
  };

  const refundReading = {
    readAnswer: readRefundAnswer,
    query: (_account: ProviderAccount, { reference }: Refund, signal: AbortSignal) => call('GET', `/v1/refunds/${reference}`, signal),
    readStatus: readRefundStatus,
  };

  return {
    name: 'sandbox',
    simulatesFailures: true,
    capabilities: {
      firstQueryMs: 10 * SECOND_MS * delayFactor,
      unknownQueryMs: 3 * SECOND_MS * delayFactor,
      maxQueryMs: HOUR_MS * delayFactor,
      retryMs: 2 * SECOND_MS * delayFactor,
      giveUpMs: 2 * MINUTE_MS * delayFactor,
      promptMs: PROMPT_MS * delayFactor,
      refusesDuplicates: true,
      queriedBy: 'reference',
      repeatsAnswerMs: 0,
      signsCallbacks: true,
      indexingMs: 5 * SECOND_MS * delayFactor,
      networks: ['halotel', 'yas', 'airtel', 'ttcl', 'vodacom', 'other'],
      minAmount: MIN_AMOUNT,
      maxAmount: MAX_AMOUNT,
    },
    callsAtOnce: () => CALLS_AT_ONCE,
    callsPerMinute: () => null,
    addressOf: () => null,
    tillOf: () => null,
    checkCredentials: (credentials) => (credentials === null ? [] : ['The simulated provider takes no credentials.']),
    statement: SANDBOX_STATEMENT,
    reversals: {
      partial: true,
      networks: REVERSAL_NETWORKS,
      send: async (_account, { promptReference, reference, amount }, signal) =>
        promptReference === null
          ? notSent('the simulated provider reverses only payments that belong to an attempt')
          : call('POST', `/v1/prompts/${promptReference}/reversals`, signal, { reference, amount: toShillings(amount) }),
      ...refundReading,
    },
    payouts: {
      minAmount: MIN_AMOUNT,
      maxAmount: MAX_AMOUNT,
      networks: PAYOUT_NETWORKS,
      offeredBy: () => true,
      send: async (_account, { reference, mobile, amount }, signal) =>
        mobile === null
          ? notSent('the number that paid is not known')
          : call('POST', '/v1/payouts', signal, { reference, mobile: toInternational(mobile), amount: toShillings(amount) }),
      ...refundReading,
    },
    instruments: createSandboxInstruments((method, path, signal, body) => call(method, `/v1/instruments${path}`, signal, body)),
    send: (account, prompt, signal) =>
      call('POST', '/v1/prompts', signal, {
        reference: prompt.reference,
        mobile: toInternational(prompt.mobile),
        amount: toShillings(prompt.amount),
        callbackUrl: account.callbackUrl,
        merchantId: prompt.merchantId,
        billId: prompt.billId,
        network: prompt.network,
      }),
    readAnswer(answer) {
      if (answer.lost) return { kind: answer.lost };
      const parsed = answerSchema.safeParse(parseJson(answer.body));
      return (parsed.success && ANSWERS[parsed.data.status]) || { kind: 'unknown' };
    },
    query: (_account, prompt, signal) => call('GET', `/v1/prompts/${prompt.reference}`, signal),
    readStatus(answer) {
      if (answer.lost) return { kind: 'unknown' };
      if (answer.status === 404) return { kind: 'not_found' };
      return readReport(answer.body);
    },
    readCallback(_account, { headers, body }) {
      const verified = isSignedBy(callbackKey, body, headers[SIGNATURE_HEADER]);
      const parsed = reportSchema.safeParse(parseJson(body));
      const reference = parsed.success ? parsed.data.reference : null;
      const reply = jsonReply({ received: verified }, verified ? 200 : 401);
      if (!verified) return { reference, reply, verified, outcome: null, claimsPaid: false };
      const mobile = parsed.data?.mobile;
      const payer = mobile ? parseMobile(mobile) : null;
      return { reference, payer, reply, verified, outcome: parsed.success ? toOutcome(parsed.data) : null };
    },
  };
}

/** Interprets the answer to a request for a reversal or a payout. */
function readRefundAnswer(answer: RawAnswer): RefundOutcome {
  if (answer.lost) return { kind: answer.lost };
  const status = answerSchema.safeParse(parseJson(answer.body)).data?.status;
  if (status === 'ACCEPTED') return { kind: 'pending' };
  return status === 'NOT_PAID' || status === 'REFUSED' ? { kind: 'failed', reason: 'rejected' } : { kind: 'unknown' };
}

/** Interprets the answer to a status query about a reversal or a payout. A refund that is not found has moved no money so far. */
function readRefundStatus(answer: RawAnswer): RefundOutcome {
  if (answer.lost) return { kind: 'unknown' };
  const refund = refundSchema.safeParse(parseJson(answer.body)).data;
  if (!refund) return { kind: 'unknown' };
  if (refund.status === 'DONE')
    return { kind: 'refunded', transactionId: refund.receipt, amount: BigInt(refund.amount) * SENTI_PER_SHILLING };
  return refund.status === 'FAILED' ? { kind: 'failed', reason: 'rejected' } : { kind: 'pending' };
}

function readReport(body: Uint8Array): Outcome {
  const parsed = reportSchema.safeParse(parseJson(body));
  return parsed.success ? toOutcome(parsed.data) : { kind: 'unknown' };
}

function toOutcome({
  status,
  receipt,
  amount: shillings,
  reversalReceipt,
  reversedAmount,
  paidAt,
}: z.output<typeof reportSchema>): Outcome {
  if (status === 'PAID' || status === 'REVERSED') {
    if (!receipt || !shillings) return { kind: 'unknown' };
    const happened = paidAt === null ? {} : { happenedAt: new Date(paidAt) };
    const money = { transactionId: receipt, amount: BigInt(shillings) * SENTI_PER_SHILLING, ...happened };
    if (status === 'PAID') return { kind: 'paid', ...money };
    const reversed = reversedAmount === null ? money.amount : BigInt(reversedAmount) * SENTI_PER_SHILLING;
    return { kind: 'reversed', ...money, reversed, reversalTransactionId: reversalReceipt };
  }
  if (status === 'PENDING') return { kind: 'pending' };
  const reason = FAILURES[status];
  return reason ? { kind: 'failed', reason } : { kind: 'expired' };
}
