import { CHARGED_THOUGH_REFUSED, type ReviewKind } from '@/lib/reviews/rules';
import type { ListedReview } from '@/lib/reviews/store';

/** A command that settles a review, and when to use it. A word in capital letters stands for a value that the person fills in. */
interface ReviewAction {
  readonly when: string;
  readonly command: string;
}

const REASON = '--reason TEXT';

export const QUESTIONS: Readonly<Record<ReviewKind, string>> = {
  attempt_unresolved: 'The outcome of this attempt is unknown. Ask the provider.',
  reversal_unresolved: 'The outcome of this reversal is unknown. Ask the provider.',
  reversal_assumed: 'The provider reversed this payment without saying how much. Ask the provider, or read its statement.',
  contradiction: 'The provider contradicts its earlier answer. Ask which one is true.',
  receipt_conflict: 'Two attempts were reported with one receipt number. Ask the provider to which one it belongs.',
  statement_differs: "The provider's statement differs from the ledger. Ask which one is true.",
};

/** The question about a message that belongs to no attempt and no reversal. */
export const MESSAGE_QUESTION = 'A message of a provider could not be applied. Look for its payment in the statement of the provider.';

/** Returns at least one command for an open review: one for each answer that the provider may give. Pure. */
export function actionsFor(review: ListedReview): readonly ReviewAction[] {
  const { id, kind, attemptId, billId, reversalRequestId, data } = review;
  const entry = review.entryId ?? 'PAYMENT';
  const settles = `${REASON} --review ${id}`;
  const correct = (to: string) => `bili payment correct ${entry} --to ${to} ${settles}`;
  const settleReversal = [
    { when: 'it was reversed', command: `bili payment settle-reversal ${reversalRequestId} --reversed RECEIPT ${REASON}` },
    { when: 'it was not reversed', command: `bili payment settle-reversal ${reversalRequestId} --failed ${REASON}` },
  ];
  const asItIs: ReviewAction = { when: 'the ledger is right', command: `bili review resolve ${id} ${REASON}` };
  if (review.messageId !== null) return [{ ...asItIs, when: 'the statement has been read' }];
  switch (kind) {
    case 'attempt_unresolved': {
      // An attempt that has ended can still be paid, but cannot fail again.
      const ended = ['FAILED', 'EXPIRED', 'SUCCEEDED', 'CANCELLED'].some((state) => state === data.state);
      return [
        { when: 'it was paid', command: `bili attempt settle ${attemptId} --paid RECEIPT ${REASON}` },
        ended
          ? { ...asItIs, when: 'it was not paid' }
          : { when: 'it was not paid', command: `bili attempt settle ${attemptId} --failed ${REASON}` },
      ];
    }
    case 'reversal_unresolved':
      return settleReversal;
    case 'reversal_assumed':
      return [
        { when: 'another amount was reversed', command: correct('SHILLINGS') },
        { ...asItIs, when: 'all of it was reversed' },
      ];
    case 'receipt_conflict':
      return [
        { when: 'the payment is for this bill', command: `bili payment move ${entry} --bill ${billId ?? 'BILL'} ${settles}` },
        { ...asItIs, when: 'it is for the other bill' },
      ];
    case 'statement_differs':
      if (typeof data.renumberedOf === 'string')
        return [
          { ...asItIs, when: 'it is one payment' },
          { when: 'there are two payments', command: `bili attempt settle ${data.renumberedOf} --paid ${data.transactionId} ${REASON}` },
        ];
      return [{ when: 'another amount is right', command: correct('SHILLINGS') }, asItIs];
    case 'contradiction':
      if (reversalRequestId !== null) return [...settleReversal, asItIs];
      if (data.problem === CHARGED_THOUGH_REFUSED)
        return [
          { when: 'the customer has not paid otherwise', command: `bili payment allocate ${entry} --bill ${data.bill} ${REASON}` },
          { when: 'the customer has paid twice', command: `bili payment reverse ${entry} ${REASON}` },
          { ...asItIs, when: 'one of these is done' },
        ];
      return attemptId === null
        ? [{ when: 'another amount is right', command: correct('SHILLINGS') }, asItIs]
        : [
            { when: 'it was not paid, or another amount', command: correct('SHILLINGS') },
            { ...asItIs, when: 'it was paid' },
          ];
  }
}
