import { isOpen } from '@/lib/gateway/payments/rules';
import { REFUND_TRANSITIONS, type RefundState } from '@/lib/gateway/refund-states/rules';
import { type Till, variantOf } from '../fakes/fake-record';
import type { Books } from './books';
import { readShares } from './ledger-invariants';
import type { World } from './world';

/** Returns violations of what must hold for the changes of a step, as sentences. @param before the books before the step. */
export function findStepWrongs(world: World, before: Books): string[] {
  return [
    ...wrongPushes(world, before),
    ...wrongReversals(world, before),
    ...wrongReviews(world),
    ...wrongRefunds(world, before),
    ...wrongCorrections(world, before),
    ...wrongReferences(world, before),
    ...wrongPaymentFlags(world, before),
  ];
}

/**
 * No request of this step is for an attempt that had ended or been released before the step. No request is for more than the bill's
 * remaining amount. A payment can change this amount during the step, so the larger of the amounts before and after the step counts.
 */
export function wrongPushes({ books, sent, claimsBefore, tillOf }: World, before: Books): string[] {
  const accepted = new Set(before.events.flatMap(({ type, attempt }) => (type === 'attempt.awaiting_customer' ? [attempt] : [])));
  return books.attempts
    .filter(({ our_reference }) => sent.includes(our_reference))
    .flatMap(({ id, our_reference, bill_id, amount, provider_account_id }) => {
      // The provider `repeating` gets the same request again instead of a status query.
      const repeats = provider_account_id !== null && variantOf(tillOf(provider_account_id)) === 'repeating';
      const was = before.attempts.find((attempt) => attempt.id === id);
      const ended = was !== undefined && !isOpen(was.state);
      const released = was !== undefined && was.released_at !== null;
      const paid = [before, books].every(({ bills }) => {
        const bill = bills.find((one) => one.id === bill_id);
        return bill !== undefined && bill.paid_amount + amount >= bill.amount + 100;
      });
      return [
        ...(ended ? [`${our_reference} was sent after it had ended`] : []),
        ...(released ? [`${our_reference} was sent after it had been released`] : []),
        ...(!repeats && accepted.has(id) ? [`${our_reference} was sent after a provider had accepted it`] : []),
        ...(!repeats && claimsBefore.has(our_reference) ? [`${our_reference} was sent after a callback had said that it is paid`] : []),
        ...(paid ? [`${our_reference} was sent, and its bill had less left`] : []),
      ];
    });
}

/** A reversal reduces the unmatched part of its payment first, unless that part has gone back another way. */
function wrongReversals({ books }: World, before: Books): string[] {
  const fresh = books.payments.filter(({ id, kind }) => kind === 'reversal' && !before.payments.some((payment) => payment.id === id));
  return fresh
    .filter(({ id, reverses_id }) => {
      const payment = books.payments.find((one) => one.id === reverses_id);
      if (!payment) return false;
      // The refund of a bill names the bill that loses the money.
      if (books.refunds.some(({ entry_id, bill_id }) => entry_id === id && bill_id !== null)) return false;
      return readShares(books, payment).unmatched > 0 && books.allocations.some(({ payment_id }) => payment_id === id);
    })
    .map(({ provider_transaction_id: receipt }) => `reversal ${receipt} was taken from a bill, and not all of the payment is a bill's`);
}

/** A correction that makes a payment smaller takes its unmatched part before it takes from bills. Corrections do not run in parallel. */
function wrongCorrections({ books }: World, before: Books): string[] {
  return books.payments
    .filter(({ id, kind, amount }) => {
      const was = before.payments.find((payment) => payment.id === id);
      if (kind !== 'payment' || !was || was.amount <= amount) return false;
      const now = readShares(books, { id, amount });
      return now.unmatched > 0 && now.allocated < readShares(before, was).allocated;
    })
    .map(({ provider_transaction_id: receipt }) => `${receipt} became smaller, and bills lost money before its unmatched part`);
}

/**
 * A refund is not for more than is left of its payment, or than its bill has. It goes only forward through its states, so that no request is sent twice, and nobody approves their own. Steps can run in parallel, so what
 * holds before or after the step counts.
 */
function wrongRefunds({ books }: World, before: Books): string[] {
  const most = (amounts: readonly number[]) => Math.max(0, ...amounts);
  return books.refunds.flatMap((refund) => {
    const { id, payment_id, bill_id, amount, state, our_reference } = refund;
    const was = before.refunds.find((one) => one.id === id);
    if (was) {
      const goes = was.state === state || leadsTo(was.state, state);
      const approved = was.state === 'ASKED' && (state === 'APPROVED' || state === 'QUEUED');
      return [
        ...(goes ? [] : [`refund ${our_reference} was ${was.state} and is ${state}`]),
        ...(approved && refund.decided_by === refund.requested_by
          ? [`refund ${our_reference} was approved by the person who asked for it`]
          : []),
      ];
    }
    // What the refund gives back in its first step is not left after the step.
    const given = state === 'DONE' ? amount : 0;
    const shares = [before, books].flatMap((one) => {
      const payment = [...one.payments, ...one.byHand].find((entry) => entry.id === payment_id);
      return payment ? [{ ...readShares(one, payment), given: one === books ? given : 0 }] : [];
    });
    const ofBill = shares.map((share) => (bill_id === null ? amount : (share.byBill.get(bill_id) ?? 0) + share.given));
    return [
      ...(amount > most(shares.map((share) => share.left + share.given))
        ? [`${amount} of ${payment_id} are to go back, and less is left`]
        : []),
      ...(amount > most(ofBill) ? [`${amount} of bill ${bill_id} are to go back, and it has less`] : []),
    ];
  });
}

/** Returns whether a refund may go from one state to another, by any number of steps. */
function leadsTo(from: RefundState, to: RefundState): boolean {
  // Only a request that was certainly not sent returns to QUEUED.
  return REFUND_TRANSITIONS[from].some(
    (next) => next === to || (next !== from && !(from === 'SENDING' && next === 'QUEUED') && leadsTo(next, to)),
  );
}

/** There is a review for every report that contradicts the ledger, and for every reversal whose amount the provider did not report. */
export function wrongReviews(world: World): string[] {
  const { books, conflicts, otherAmounts } = world;
  const paymentOf = (till: Till, receipt: string) =>
    books.payments.find(
      (one) => one.kind === 'payment' && one.provider_transaction_id === receipt && world.tillOf(one.provider_account_id) === till,
    );
  const unasked = conflicts.filter(({ till, receipt, reference }) => {
    const attempt = books.attempts.find(({ our_reference }) => our_reference === reference);
    if (paymentOf(till, receipt)?.attempt_id === attempt?.id) return false;
    return !books.reviews.some(
      ({ kind, attempt_id, facts }) => kind === 'receipt_conflict' && attempt_id === attempt?.id && facts.includes(`"${receipt}"`),
    );
  });
  const silent = otherAmounts.filter(({ till, receipt, amount }) => {
    const id = paymentOf(till, receipt)?.id;
    return !books.reviews.some(
      ({ kind, payment_id, facts }) => kind === 'contradiction' && payment_id === id && facts.includes(`"${amount}"`),
    );
  });
  const assumed = books.payments.filter(({ id, kind, reverses_id, provider_transaction_id: receipt }) => {
    const payment = books.payments.find((one) => one.id === reverses_id);
    if (kind !== 'reversal' || receipt !== payment?.provider_transaction_id) return false;
    const requested = books.refunds.some(({ payment_id, way }) => payment_id === payment.id && way === 'reversal');
    return !requested && !books.reviews.some((review) => review.kind === 'reversal_assumed' && review.payment_id === id);
  });
  const attemptOf = (reference: string) => books.attempts.find(({ our_reference }) => our_reference === reference);
  const unclaimed = [...world.leftClaims].filter((reference) => {
    const id = attemptOf(reference)?.id;
    return !books.reviews.some((one) => one.kind === 'attempt_unresolved' && one.attempt_id === id && one.facts.includes('claimed_paid'));
  });
  const ownerless = world.refusedLines.filter(({ till, receipt, reference, isNew }) => {
    const bill = books.bills.find(({ id }) => id === attemptOf(reference)?.bill_id);
    return isNew && paymentOf(till, receipt)?.merchant_id !== bill?.merchant_id;
  });
  const charged = world.refusedLines.filter(({ till, receipt }) => {
    const id = paymentOf(till, receipt)?.id;
    return !books.reviews.some(({ kind, payment_id }) => kind === 'contradiction' && payment_id === id);
  });
  return [
    ...unclaimed.map((reference) => `an account that ${reference} has left says that it is paid, and no person is asked`),
    ...ownerless.map(({ receipt, reference }) => `${receipt} was paid for ${reference}, and does not belong to the merchant of its bill`),
    ...charged.map(
      ({ receipt, reference }) => `${receipt} was paid for ${reference} at an account that had refused it, and no person is asked`,
    ),
    ...unasked.map(({ receipt, reference }) => `${reference} was reported under ${receipt}, which another has, and no person is asked`),
    ...silent.map(({ receipt, amount }) => `${receipt} was reported again with ${amount}, and no person is asked`),
    ...assumed.map(({ provider_transaction_id: receipt }) => `the reversed amount of ${receipt} is unknown, and no person is asked`),
  ];
}

/** The provider's reference of an attempt never changes. */
function wrongReferences(world: World, before: Books): string[] {
  const { books } = world;
  const accepted = new Set(
    books.events.flatMap(({ type, source, attempt }) => (type === 'attempt.awaiting_customer' && source === 'answer' ? [attempt] : [])),
  );
  return books.attempts.flatMap(({ id, our_reference, provider_reference: name }) => {
    const was = before.attempts.find((attempt) => attempt.id === id)?.provider_reference ?? null;
    const lost = name === null && (was !== null || accepted.has(id));
    return lost || (name !== null && name !== `N${our_reference}`) ? [`the provider's reference of ${our_reference} is ${name}`] : [];
  });
}

/** A payment is `late` if its attempt had failed or expired. A paid bill has the time of its first full payment. */
function wrongPaymentFlags({ books }: World, before: Books): string[] {
  const fresh = books.payments.filter(
    ({ id, kind, instrument_id }) => kind === 'payment' && instrument_id === null && !before.payments.some((payment) => payment.id === id),
  );
  const late = fresh.flatMap(({ attempt_id, late: flag, provider_transaction_id: receipt }) => {
    const state = before.attempts.find(({ id }) => id === attempt_id)?.state;
    const ended = state === 'FAILED' || state === 'EXPIRED';
    // A second payment for the same attempt is not allocated, so it is not late money.
    return ended && !flag && isFirst(books, attempt_id, receipt) ? [`${receipt} came late and does not say so`] : [];
  });
  const early = fresh.flatMap(({ attempt_id, late: flag, provider_transaction_id: receipt }) => {
    const events = books.events.filter(({ attempt }) => attempt === attempt_id && attempt !== null);
    const ended = events.some(({ type }) => type === 'attempt.failed' || type === 'attempt.expired');
    return flag && !ended ? [`${receipt} says that it came late, and its prompt had not ended`] : [];
  });
  const bills = books.bills.flatMap((bill) => {
    const was = before.bills.find(({ id }) => id === bill.id);
    const paid = bill.status === 'FULLY_PAID';
    // The time of the first full payment never changes.
    const moved = was != null && was.paid_at !== null && was.paid_at !== bill.paid_at;
    return (paid && bill.paid_at === null) || moved ? [`${bill.reference} is ${bill.status} since ${bill.paid_at}`] : [];
  });
  return [...late, ...early, ...bills];
}

function isFirst(books: Books, attemptId: string | null, receipt: string): boolean {
  const own = books.payments.filter(({ kind, attempt_id }) => kind === 'payment' && attempt_id === attemptId);
  return own.length === 1 && own[0]?.provider_transaction_id === receipt;
}
