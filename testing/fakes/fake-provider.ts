import type { Clock } from '@/lib/platform/core/clock';
import type { FailureReason } from '@/lib/providers/port/outcome';
import type { PromptRequest, Refund } from '@/lib/providers/port/port';
import { createFakeInstruments } from './fake-instruments';
import {
  type Notice,
  type Prompt,
  type RefundRequest,
  type Report,
  signsCallbacks,
  type Till,
  type Transaction,
  variantOf,
} from './fake-record';

/** Some attempts are accepted at once, but status queries find them only after one of these times, in milliseconds. */
export const INDEX_LAGS = { slow: 4_000, verySlow: 150_000 } as const;

/** Names a request at a till. */
export const placeOf = (till: Till, reference: string) => `${till} ${reference}`;

export type FakeProvider = ReturnType<typeof createFakeProvider>;

/**
 * Creates a fake provider. Tests compare its records with those of the gateway. The records change only when one of the returned functions
 * is called.
 */
export function createFakeProvider(clock: Clock) {
  const prompts = new Map<string, Prompt>();
  /** Prompts that customers get although the provider refused the request, by `placeOf`. */
  const wrongRefusals = new Map<string, PromptRequest>();
  /** Refused requests, by `placeOf`. */
  const refusals = new Set<string>();
  /** Requests of which the gateway cannot know whether they arrived, by our reference. */
  const uncertain = new Map<string, Set<{ readonly till: Till }>>();
  const transactions: Transaction[] = [];
  const notices: Notice[] = [];
  /** Requests for reversals and payouts, by our reference. */
  const refundRequests = new Map<string, RefundRequest>();
  /** Requests that the gateway must never send, as sentences. */
  const complaints: string[] = [];
  let moments = 0;
  /** Returns 1 at the first call, 2 at the second, and so on. These numbers show in which order things happened. */
  const nextMoment = () => {
    moments += 1;
    return moments;
  };

  const findPayment = (till: Till, receipt: string) =>
    transactions.find((tx) => tx.kind === 'payment' && tx.till === till && tx.receipt === receipt);
  const paymentsFor = (till: Till, reference: string) =>
    transactions.filter((tx) => tx.kind === 'payment' && tx.till === till && tx.reference === reference);
  const reversalsOf = (till: Till, receipt: string) => transactions.filter((tx) => tx.till === till && tx.of === receipt);
  const notify = (till: Till, reference: string, report: Report) => notices.push({ till, reference, report, delivered: false });
  const nextNumber = (till: Till) => transactions.filter((tx) => tx.till === till).length + 1;

  function keptOf(till: Till, receipt: string): number {
    return reversalsOf(till, receipt).reduce((kept, { amount }) => kept - amount, findPayment(till, receipt)?.amount ?? 0);
  }

  /** Records a payment with any reference. @param lag how long status queries do not show the payment, milliseconds. */
  function pay(till: Till, reference: string, amount: number, lag = 0): Report {
    const receipt = `P${nextNumber(till)}`;
    transactions.push({ kind: 'payment', till, receipt, amount, reference, of: null, at: clock() });
    const prompt = prompts.get(reference);
    if (prompt?.till === till && prompt.status !== 'paid') {
      prompt.stale = lag > 0 ? { status: prompt.status, until: clock().getTime() + lag } : null;
      prompt.status = 'paid';
      prompt.paidMoment = nextMoment();
    }
    const report: Report = { kind: 'paid', receipt, amount };
    notify(till, reference, report);
    return report;
  }

  /** Reverses a payment or a part of it. @returns the receipt number of the reversal. */
  function reverse(payment: Transaction, amount: number): string {
    const { till, reference, receipt } = payment;
    const reversal = `R${nextNumber(till)}`;
    transactions.push({ kind: 'reversal', till, receipt: reversal, amount, reference, of: receipt, at: clock() });
    notify(till, reference, { kind: 'reversed', receipt, amount: payment.amount, reversed: amount, reversal });
    return reversal;
  }

  /**
   * Notes that the gateway sends a request. Another till may get it only after all earlier tills have certainly not accepted it.
   * @returns a function to call when the gateway learns that the request was not accepted.
   */
  function expectRequest(till: Till, reference: string): () => void {
    const earlier = uncertain.get(reference) ?? new Set();
    for (const one of earlier)
      if (one.till !== till && !repeatsRefusal(one.till, reference))
        complaints.push(`${reference} was sent to ${till}, and ${one.till} may have it`);
    const request = { till };
    uncertain.set(reference, earlier.add(request));
    return () => earlier.delete(request);
  }

  /** Returns whether the provider answers this request with an earlier refusal. */
  function repeatsRefusal(till: Till, reference: string): boolean {
    return variantOf(till) === 'repeating' && refusals.has(placeOf(till, reference));
  }

  /**
   * Handles a request for a prompt.
   * @param word selects the answer: 0 accepted, 1 accepted but found late by status queries, 2 refused, 3 paid at once, 4 expired at once,
   * 5 accepted but found very late, 6 refused because the provider refuses the merchant, 7 like 6, but the customer gets the prompt.
   */
  function receivePrompt(till: Till, push: PromptRequest, word: number): Report {
    const { reference, mobile } = push;
    const amount = Number(push.amount);
    const earlier = prompts.get(reference);
    if (earlier) {
      if (variantOf(till) === 'unsigned') complaints.push(`push ${reference} was sent twice`);
      if (earlier.amount !== amount || earlier.mobile !== mobile) complaints.push(`push ${reference} was sent as another`);
      if (earlier.till !== till) complaints.push(`push ${reference} was sent through two tills`);
      return variantOf(till) === 'repeating' ? earlier.answer : { kind: 'duplicate' };
    }
    if (word === 7) wrongRefusals.set(placeOf(till, reference), push);
    if (word === 6 || word === 7) refusals.add(placeOf(till, reference));
    if (word === 6 || word === 7 || repeatsRefusal(till, reference)) return { kind: 'failed', reason: 'merchant_config' };
    const lag = word === 1 ? INDEX_LAGS.slow : word === 5 ? INDEX_LAGS.verySlow : 0;
    const indexedAt = clock().getTime() + lag;
    const accepted: Report = { kind: 'accepted', id: `N${reference}` };
    const prompt: Prompt = {
      reference,
      till,
      mobile,
      amount,
      answer: accepted,
      indexedAt,
      status: 'asking',
      stale: null,
      paidMoment: null,
    };
    prompts.set(reference, prompt);
    if (word === 2) prompt.answer = decline(prompt, 'mobile_not_registered');
    if (word === 3) prompt.answer = pay(till, reference, amount);
    if (word === 4) prompt.answer = expire(prompt);
    return prompt.answer;
  }

  function decline(prompt: Prompt, reason: FailureReason): Report {
    prompt.status = reason;
    const report: Report = { kind: 'failed', reason };
    notify(prompt.till, prompt.reference, report);
    return report;
  }

  function expire(prompt: Prompt): Report {
    prompt.status = 'expired';
    const report: Report = { kind: 'expired' };
    notify(prompt.till, prompt.reference, report);
    return report;
  }

  /** Answers a status query. @param providerReference the provider's own reference, as far as the gateway knows it. */
  function answerQuery(till: Till, reference: string, providerReference: string | null): Report {
    if (wrongRefusals.has(placeOf(till, reference)) && prompts.get(reference)?.till !== till) return answerRefusedQuery(till, reference);
    const prompt = prompts.get(reference);
    if (prompt && variantOf(prompt.till) === 'repeating' && providerReference !== `N${reference}`)
      complaints.push(`the status of ${reference} was asked with the reference ${providerReference}`);
    const now = clock().getTime();
    if (!prompt || now < prompt.indexedAt) return { kind: 'not_found' };
    const status = prompt.stale && now < prompt.stale.until ? prompt.stale.status : prompt.status;
    if (status === 'asking') return { kind: 'pending' };
    if (status === 'expired') return { kind: 'expired' };
    if (status !== 'paid') return { kind: 'failed', reason: status };
    const [payment] = paymentsFor(prompt.till, reference);
    if (!payment) throw new Error(`${reference} is paid without a payment`);
    return reportPayment(payment);
  }

  function answerRefusedQuery(till: Till, reference: string): Report {
    const [payment] = paymentsFor(till, reference);
    return payment ? reportPayment(payment) : { kind: 'failed', reason: 'merchant_config' };
  }

  function reportPayment({ till, receipt, amount }: Transaction): Report {
    const last = reversalsOf(till, receipt).at(-1);
    if (last && signsCallbacks(till)) return { kind: 'reversed', receipt, amount, reversed: last.amount, reversal: last.receipt };
    if (last) return { kind: 'reversed', receipt, amount, reversed: null, reversal: null };
    return { kind: 'paid', receipt, amount };
  }

  /** Handles a reversal request. @param word selects the answer: 0 done, 1 accepted and done later, 2 refused. */
  function receiveReversal(till: Till, { reference, transactionId, amount }: Refund, word: number): Report {
    if (refundRequests.has(reference)) complaints.push(`reversal ${reference} was sent twice`);
    const request: RefundRequest = {
      till,
      receipt: transactionId,
      amount: Number(amount),
      state: word === 2 ? 'refused' : 'taken',
    };
    refundRequests.set(reference, request);
    if (word === 0) completeRefund(reference);
    return answerRefundQuery(reference);
  }

  /**
   * Handles a request for a payout. @param word selects the answer: 0 done, 1 accepted and done later, 2 refused, 3 done, but the provider
   * reports another amount, 4 done, and the provider gives no receipt number.
   */
  function receivePayout(till: Till, { reference, amount }: Refund, word: number): Report {
    if (refundRequests.has(reference)) complaints.push(`payout ${reference} was sent twice`);
    const request: RefundRequest = { till, receipt: null, amount: Number(amount), state: word === 2 ? 'refused' : 'taken' };
    refundRequests.set(reference, request);
    if (word === 1) return { kind: 'accepted', id: `N${reference}` };
    completeRefund(reference);
    if (word === 3) reportAs(request, { amount: request.amount + 100 });
    if (word === 4) reportAs(request, { receipt: null });
    return answerRefundQuery(reference);
  }

  function reportAs(request: RefundRequest, changes: { readonly amount?: number; readonly receipt?: null }): void {
    if (typeof request.state === 'object') request.state = { ...request.state, reported: { ...request.state.reported, ...changes } };
  }

  /** Completes an accepted reversal or payout. Refuses a reversal if the amount that is left of the payment is too small by now. */
  function completeRefund(reference: string): void {
    const request = refundRequests.get(reference);
    if (request?.state !== 'taken') return;
    const { till, receipt: of, amount } = request;
    const payment = of === null ? undefined : findPayment(till, of);
    if (of !== null && (!payment || amount > keptOf(till, of))) {
      request.state = 'refused';
      return;
    }
    const receipt = payment ? reverse(payment, amount) : payOut(till, reference, amount);
    request.state = { receipt, reported: { amount, receipt } };
  }

  /** Sends money to a customer. @returns the receipt number of the payout. */
  function payOut(till: Till, reference: string, amount: number): string {
    const receipt = `O${nextNumber(till)}`;
    transactions.push({ kind: 'payout', till, receipt, amount, reference, of: null, at: clock() });
    return receipt;
  }

  function answerRefundQuery(reference: string): Report {
    const request = refundRequests.get(reference);
    if (!request || request.state === 'taken') return { kind: 'pending' };
    if (request.state === 'refused') return { kind: 'failed', reason: 'rejected' };
    const { amount, receipt } = request.state.reported;
    if (request.receipt === null) return { kind: 'paid_out', receipt, amount };
    return { kind: 'reversed', receipt: request.receipt, amount, reversed: amount, reversal: receipt };
  }

  /** Answers a status query about a payout. @param providerReference the provider's own reference, as far as the gateway knows it. */
  function answerPayoutQuery(reference: string, providerReference: string | null): Report {
    return providerReference === `N${reference}` ? answerRefundQuery(reference) : { kind: 'not_found' };
  }

  /** Returns what the unsigned provider reports about reversals of a payment: only whether a part of it was reversed. */
  function reportReversed(till: Till, receipt: string): Report {
    const last = reversalsOf(till, receipt).at(-1);
    return last ? { kind: 'reversed', receipt, amount: 0, reversed: null, reversal: null } : { kind: 'pending' };
  }

  return {
    ...createFakeInstruments({ clock, complaints, pay, paymentsFor, reportPayment }),
    prompts,
    wrongRefusals,
    uncertain,
    expectRequest,
    repeatsRefusal,
    transactions,
    notices,
    refundRequests,
    complaints,
    nextMoment,
    notify,
    findPayment,
    paymentsFor,
    reversalsOf,
    keptOf,
    pay,
    reverse,
    receivePrompt,
    decline,
    expire,
    answerQuery,
    receiveReversal,
    receivePayout,
    completeRefund,
    answerRefundQuery,
    answerPayoutQuery,
    reportReversed,
  };
}
