import type { ReviewKind } from '@/lib/reviews/rules';
import type { ListedReview } from '@/lib/reviews/store';

/** What settles a review in one case: a command to run, with what a person fills in as capitals. */
interface ReviewAction {
  readonly when: string;
  readonly command: string;
}

const REASON = '--reason TEXT';

/** What asks a person, as a sentence. */
export const QUESTIONS: Readonly<Record<ReviewKind, string>> = {
  attempt_unresolved: 'Nobody knows what became of this prompt: ask the provider.',
  reversal_unresolved: 'Nobody knows what became of this reversal: ask the provider.',
  reversal_assumed: 'The provider sent this back and did not say how much: ask it, or read its statement.',
  contradiction: 'The provider contradicts what it had said: ask it which is true.',
  receipt_conflict: 'Two prompts are reported under one receipt: ask the provider whose it is.',
  statement_differs: "The provider's statement says otherwise than the ledger: ask it which is true.",
};

/** Pure. @returns what may settle an open review, never nothing: one for each answer that the provider may give. */
export function actionsFor(review: ListedReview): readonly ReviewAction[] {
  const { id, kind, attemptId, billId, reversalRequestId, data } = review;
  const entry = review.entryId ?? 'PAYMENT';
  const settles = `${REASON} --review ${id}`;
  const correct = (to: string) => `bili payment correct ${entry} --to ${to} ${settles}`;
  const settleReversal = [
    { when: 'it was sent back', command: `bili payment settle-reversal ${reversalRequestId} --reversed RECEIPT ${REASON}` },
    { when: 'it was not sent back', command: `bili payment settle-reversal ${reversalRequestId} --failed ${REASON}` },
  ];
  const asItIs: ReviewAction = { when: 'the ledger is right', command: `bili review resolve ${id} ${REASON}` };
  switch (kind) {
    case 'attempt_unresolved':
      return [
        { when: 'it was paid', command: `bili attempt settle ${attemptId} --paid RECEIPT ${REASON}` },
        { when: 'it was not paid', command: `bili attempt settle ${attemptId} --failed ${REASON}` },
      ];
    case 'reversal_unresolved':
      return settleReversal;
    case 'reversal_assumed':
      return [
        { when: 'another amount went back', command: correct('SHILLINGS') },
        { ...asItIs, when: 'all of it went back' },
      ];
    case 'receipt_conflict':
      return [
        { when: 'the payment is for this bill', command: `bili payment move ${entry} --bill ${billId ?? 'BILL'} ${settles}` },
        { ...asItIs, when: 'it is for the other bill' },
      ];
    case 'statement_differs': {
      const none = data.statementAmount === null;
      return [{ when: none ? 'it never happened' : 'another amount is right', command: correct(none ? '0' : 'SHILLINGS') }, asItIs];
    }
    case 'contradiction':
      if (reversalRequestId !== null) return [...settleReversal, asItIs];
      return attemptId === null
        ? [{ when: 'another amount is right', command: correct('SHILLINGS') }, asItIs]
        : [
            { when: 'it was not paid', command: correct('0') },
            { ...asItIs, when: 'it was paid' },
          ];
  }
}
