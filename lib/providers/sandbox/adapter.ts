import type { z } from 'zod';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/core/clock';
import { toInternational } from '@/lib/core/mobile';
import { SENTI_PER_SHILLING, toWholeShillings } from '@/lib/core/money';
import { callJson } from '@/lib/providers/port/call-json';
import type { FailureReason, Outcome } from '@/lib/providers/port/outcome';
import type { ProviderAdapter, RawAnswer } from '@/lib/providers/port/port';
import { jsonReply, notSent, parseJson } from '@/lib/providers/port/raw-answer';
import { PROMPT_MS } from './outcomes';
import { SANDBOX_STATEMENT } from './statement';
import {
  answerSchema,
  isSignedBy,
  reportSchema,
  type SandboxPrompt,
  type SandboxReport,
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
};

/** Creates the adapter of the simulated provider. It uses HTTP, like the adapter of a real provider. */
export function createSandboxAdapter({ url, callbackKey, delayFactor }: SandboxOptions): ProviderAdapter {
  const call = async (method: 'GET' | 'POST', path: string, signal: AbortSignal, body?: SandboxPrompt): Promise<RawAnswer> => {
    if (url === null) return notSent('this process has no simulated provider to call');
    return callJson(`${url}${path}`, { method, headers: { accept: 'application/json' }, body, timeoutMs: CALL_TIMEOUT_MS, signal });
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
      minAmount: SENTI_PER_SHILLING,
      maxAmount: 1_000_000_000n * SENTI_PER_SHILLING,
    },
    callsAtOnce: () => CALLS_AT_ONCE,
    callsPerMinute: () => null,
    addressOf: () => null,
    tillOf: () => null,
    checkCredentials: (credentials) => (credentials === null ? [] : ['The simulated provider takes no credentials.']),
    statement: SANDBOX_STATEMENT,
    reversals: {
      partial: false,
      send: async (_account, { promptReference }, signal) =>
        promptReference === null
          ? notSent('the simulated provider reverses only payments that belong to an attempt')
          : call('POST', `/v1/prompts/${promptReference}/reversal`, signal),
      readAnswer(answer) {
        if (answer.lost) return { kind: answer.lost };
        const status = answerSchema.safeParse(parseJson(answer.body)).data?.status;
        if (status === 'ACCEPTED') return { kind: 'pending' };
        return status === 'NOT_PAID' ? { kind: 'failed', reason: 'rejected' } : { kind: 'unknown' };
      },
      query: async (_account, { promptReference }, signal) => call('GET', `/v1/prompts/${promptReference}`, signal),
      readStatus(answer) {
        const outcome = answer.lost ? undefined : readReport(answer.body);
        if (outcome?.kind === 'reversed')
          return { kind: 'reversed', transactionId: outcome.reversalTransactionId, amount: outcome.reversed };
        return { kind: outcome?.kind === 'paid' ? 'pending' : 'unknown' };
      },
    },
    send: (account, prompt, signal) =>
      call('POST', '/v1/prompts', signal, {
        reference: prompt.reference,
        mobile: toInternational(prompt.mobile),
        amount: Number(toWholeShillings(prompt.amount)),
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
      return { reference, reply, verified, outcome: parsed.success ? toOutcome(parsed.data) : null };
    },
  };
}

function readReport(body: Uint8Array): Outcome {
  const parsed = reportSchema.safeParse(parseJson(body));
  return parsed.success ? toOutcome(parsed.data) : { kind: 'unknown' };
}

function toOutcome({ status, receipt, amount: shillings, reversalReceipt }: SandboxReport): Outcome {
  if (status === 'PAID' || status === 'REVERSED') {
    if (!receipt || !shillings) return { kind: 'unknown' };
    const money = { transactionId: receipt, amount: BigInt(shillings) * SENTI_PER_SHILLING };
    if (status === 'PAID') return { kind: 'paid', ...money };
    return { kind: 'reversed', ...money, reversed: money.amount, reversalTransactionId: reversalReceipt };
  }
  if (status === 'PENDING') return { kind: 'pending' };
  const reason = FAILURES[status];
  return reason ? { kind: 'failed', reason } : { kind: 'expired' };
}
