import { type Command, Option } from 'commander';
import { formatMoney } from '@/lib/i18n/format';
import { type ResolveRefusal, resolveReview } from '@/lib/reviews/resolve-review';
import type { ReviewKind } from '@/lib/reviews/rules';
import { type ListedReview, listReviews } from '@/lib/reviews/store';
import { withRuntime } from './connect';
import { type JsonFlag, jsonOption, words } from './options';
import { print, UserError } from './output';

/** What is asked, and what settles it. */
const TEXTS: Readonly<Record<ReviewKind, string>> = {
  attempt_unresolved: 'nobody knows what became of this prompt: ask the provider, then "bili attempt settle"',
  reversal_unresolved: 'nobody knows what became of this reversal: ask the provider, then "bili payment settle-reversal"',
  reversal_assumed: 'the provider sent this back and did not say how much: ask it, or read its statement',
  contradiction: 'the provider denies what it had confirmed: ask it which is true',
  receipt_conflict: 'two prompts under one receipt: ask the provider whose it is',
  statement_differs: "the provider's statement says otherwise than the ledger: ask it which is true",
};

const RESOLVE_REFUSALS: Readonly<Record<ResolveRefusal, string>> = {
  not_found: 'There is no such open review; "bili review list" shows all.',
  attempt_unresolved: 'Its prompt is still open: "bili attempt settle" settles that, and closes the review.',
  reversal_unresolved: 'Its reversal is still open: "bili payment settle-reversal" settles that, and closes the review.',
};

/** `bili review …`: what a person has to look at. */
export function addReviewCommands(reviews: Command): void {
  reviews
    .command('list')
    .description('list what is open')
    .option('--all', 'with what was resolved', false)
    .addOption(jsonOption())
    .action(async ({ all, json }: JsonFlag & { all: boolean }) => {
      const found = await withRuntime((runtime) => listReviews(runtime.db, { all }));
      print(json, found, found.length > 0 ? found.flatMap(describe) : ['Nothing waits for a person.']);
    });
  reviews
    .command('resolve')
    .description('close a review; changes nothing about the money')
    .argument('<review>', "the review's id")
    .addOption(new Option('--reason <text>', 'what was found out and done, for the record').argParser(words))
    .addOption(new Option('--note <text>', 'the same, as it was called before').argParser(words).hideHelp())
    .addOption(jsonOption())
    .action(async (id: string, { reason, note, json }: JsonFlag & { reason?: string; note?: string }) => {
      const resolution = reason ?? note;
      if (resolution === undefined) reviews.error("error: required option '--reason <text>' not specified");
      const resolved = await withRuntime((runtime) => resolveReview(runtime, { id, resolution, actor: runtime.actor }));
      if (!resolved.ok) throw new UserError(RESOLVE_REFUSALS[resolved.error]);
      print(json, { id, resolved: true }, [`${id} is resolved.`]);
    });
}

function describe(review: ListedReview): string[] {
  const {
    id,
    kind,
    environment,
    merchant,
    amount,
    openedAt,
    resolvedAt,
    resolution,
    data,
    billId,
    attemptId,
    paymentId,
    reversalRequestId,
  } = review;
  const about = Object.entries({ bill: billId, attempt: attemptId, payment: paymentId, reversal: reversalRequestId });
  const { transactionId, statementAmount, ledgerAmount } = data;
  const said = [
    typeof transactionId === 'string' && transactionId,
    typeof statementAmount === 'string' && `statement ${formatMoney(BigInt(statementAmount))}`,
    typeof ledgerAmount === 'string' && `ledger ${formatMoney(BigInt(ledgerAmount))}`,
    kind === 'statement_differs' && statementAmount === null && 'the statement does not have it',
  ].filter((part) => typeof part === 'string');
  return [
    `${id}  ${kind}  ${environment}  ${merchant ?? 'operator'}  ${amount === null ? '' : formatMoney(amount)}  since ${openedAt.toISOString()}`,
    `  ${resolvedAt ? `resolved ${resolvedAt.toISOString()}: ${resolution}` : TEXTS[kind]}`,
    ...(said.length > 0 ? [`  ${said.join(', ')}`] : []),
    `  ${about.flatMap(([name, subject]) => (subject ? [`${name} ${subject}`] : [])).join(', ')}`,
  ];
}
