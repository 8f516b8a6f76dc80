import { type Command, Option } from 'commander';
import { withRuntime } from '@/lib/cli/deployment/connect';
import { valueOrRefusal } from '@/lib/cli/terminal/operator';
import { type JsonFlag, words } from '@/lib/cli/terminal/options';
import { print, printList } from '@/lib/cli/terminal/output';
import { type ResolveRefusal, resolveReview } from '@/lib/gateway/reviews/resolve-review';
import { CHARGED_THOUGH_REFUSED, type ReviewKind } from '@/lib/gateway/reviews/rules';
import { type ListedReview, listReviews } from '@/lib/gateway/reviews/store';
import { formatDecimal } from '@/lib/platform/core/money';
import { formatMoney } from '@/lib/platform/i18n/format';

const RESOLVE_REFUSALS: Readonly<Record<ResolveRefusal, string>> = {
  not_found: 'There is no such open review. "bili review list" shows all.',
  attempt_unresolved: 'The attempt is still open. "bili attempt settle" settles it and closes the review.',
  refund_unresolved: 'The reversal is still open. "bili payment settle-reversal" settles it and closes the review.',
};

export function addReviewCommands(reviews: Command): void {
  reviews
    .command('list')
    .description('list the open reviews with the commands that settle them')
    .option('--all', 'include resolved reviews', false)
    .action(async ({ all, json }: JsonFlag & { all: boolean }) => {
      const found = await withRuntime((runtime) => listReviews(runtime.db, { all }));
      printList(json, found.map(reviewView), found.flatMap(describeReview), 'There are no open reviews.');
    });
  reviews
    .command('resolve')
    .description('close a review; changes no money')
    .argument('<review>', "the review's id")
    .addOption(new Option('--reason <text>', 'what you found out and did, for the records').argParser(words))
    .addOption(new Option('--note <text>', 'old name of --reason').argParser(words).hideHelp())
    .action(async (id: string, { reason, note, json }: JsonFlag & { reason?: string; note?: string }) => {
      const resolution = reason ?? note;
      if (resolution === undefined) reviews.error("error: required option '--reason <text>' not specified");
      const resolved = await withRuntime((runtime) => resolveReview(runtime, { id, resolution, actor: runtime.actor }));
      valueOrRefusal(resolved, RESOLVE_REFUSALS);
      print(json, { id, resolved: true }, [`${id} is resolved.`]);
    });
}

const AMOUNTS: ReadonlySet<string> = new Set(['amount', 'ledgerAmount', 'statementAmount']);

/** Returns a review for JSON output, with amounts in shillings. For an open review, `actions` lists the commands that settle it. */
function reviewView(review: ListedReview) {
  return { ...review, data: inShillings(review.data), actions: review.resolvedAt ? [] : actionsFor(review) };
}

/** Converts the amounts of a review's facts, which are stored as senti in strings. */
function inShillings(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inShillings);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      AMOUNTS.has(name) && isSenti(part) ? Number(formatDecimal(BigInt(part))) : inShillings(part),
    ]),
  );
}

function isSenti(value: unknown): value is string {
  return typeof value === 'string' && /^-?\d{1,18}$/.test(value);
}

/** Describes a review, one line per element. */
export function describeReview(review: ListedReview): string[] {
  const { id, kind, environment, merchant, amount, openedAt, resolvedAt, resolution, data } = review;
  const { billId, attemptId, paymentId, refundId, messageId } = review;
  const about = Object.entries({ bill: billId, attempt: attemptId, payment: paymentId, reversal: refundId, message: messageId });
  const more: readonly unknown[] = Array.isArray(data.more) ? data.more : [];
  const omitted = typeof data.omitted === 'number' ? [`${data.omitted} more`] : [];
  const facts = [...[data, ...more].map((fact) => describeFact(kind, fact)).filter((fact) => fact !== ''), ...omitted];
  return [
    `${id}  ${kind}  ${environment}  ${merchant ?? 'operator'}  ${amount === null ? '' : formatMoney(amount)}  since ${openedAt.toISOString()}`,
    `  ${resolvedAt ? `resolved ${resolvedAt.toISOString()}: ${resolution}` : messageId ? MESSAGE_QUESTION : QUESTIONS[kind]}`,
    ...facts.map((fact) => `  ${fact}`),
    `  ${about.flatMap(([name, subject]) => (subject ? [`${name} ${subject}`] : [])).join(', ')}`,
    ...(resolvedAt ? [] : actionsFor(review).map(({ when, command }) => `  if ${when}: ${command}`)),
  ];
}

/** Describes a payment that only an unsigned callback reports. The operator must check the id that the callback contains. */
function describeClaim({ providerReference, otherAttempt, leftAccount }: Readonly<Record<string, unknown>>): string {
  const id = typeof providerReference === 'string' ? `under the id ${providerReference}` : 'without an id';
  const other = typeof otherAttempt === 'string' ? `, which belongs to the attempt ${otherAttempt}` : '';
  if (typeof leftAccount === 'string')
    return `a callback claims the payment ${id} through the account ${leftAccount}, which had not accepted the request; look for it in the records of this account`;
  return `an unsigned callback claims the payment ${id}${other}; it proves nothing, so compare the reference with the provider's records`;
}

function describeFact(kind: string, fact: unknown): string {
  if (typeof fact !== 'object' || fact === null) return '';
  const facts: Readonly<Record<string, unknown>> = { ...fact };
  const money = (name: string, label: string) => (isSenti(facts[name]) ? `${label} ${formatMoney(BigInt(facts[name]))}` : null);
  return [
    typeof facts.transactionId === 'string' ? facts.transactionId : null,
    typeof facts.reversalTransactionId === 'string' ? `reversal ${facts.reversalTransactionId}` : null,
    money('amount', 'reported'),
    money('statementAmount', 'statement'),
    money('ledgerAmount', 'ledger'),
    facts.problem === 'claimed_paid' ? describeClaim(facts) : null,
    facts.problem === 'message_fails'
      ? `a stored message (${facts.messageKind}) could not be applied and was given up: ${facts.error}`
      : null,
    kind === 'statement_differs' && facts.statementAmount === null
      ? 'the statement does not have it: read a complete statement, which closes this review if it has it'
      : null,
    typeof facts.renumberedOf === 'string' ? 'the ledger has it under another receipt number' : null,
    facts.problem === CHARGED_THOUGH_REFUSED ? 'the provider had refused the request, and another account got it' : null,
    typeof facts.source === 'string' ? `by ${facts.source}` : null,
  ]
    .filter((part) => part !== null)
    .join(', ');
}

/** A command that settles a review, and when to use it. A word in capital letters stands for a value that the person fills in. */
interface ReviewAction {
  readonly when: string;
  readonly command: string;
}

const REASON = '--reason TEXT';

const QUESTIONS: Readonly<Record<ReviewKind, string>> = {
  attempt_unresolved: 'The outcome of this attempt is unknown. Ask the provider.',
  refund_unresolved: 'The outcome of this reversal is unknown. Ask the provider.',
  reversal_assumed: 'The provider reversed this payment without saying how much. Ask the provider, or read its statement.',
  contradiction: 'The provider contradicts its earlier answer. Ask which one is true.',
  receipt_conflict: 'Two attempts were reported with one receipt number. Ask the provider to which one it belongs.',
  statement_differs: "The provider's statement differs from the ledger. Ask which one is true.",
};

/** The question about a message that belongs to no attempt and no reversal. */
const MESSAGE_QUESTION = 'A message of a provider could not be applied. Look for its payment in the statement of the provider.';

/** Returns at least one command for an open review: one for each answer that the provider may give. Pure. */
export function actionsFor(review: ListedReview): readonly ReviewAction[] {
  const { id, kind, attemptId, billId, refundId, data } = review;
  const entry = review.entryId ?? 'PAYMENT';
  const settles = `${REASON} --review ${id}`;
  const correct = (to: string) => `bili payment correct ${entry} --to ${to} ${settles}`;
  const settleRefund = [
    { when: 'it was reversed', command: `bili payment settle-reversal ${refundId} --reversed RECEIPT ${REASON}` },
    { when: 'it was not reversed', command: `bili payment settle-reversal ${refundId} --failed ${REASON}` },
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
    case 'refund_unresolved':
      return settleRefund;
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
      if (refundId !== null) return [...settleRefund, asItIs];
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
