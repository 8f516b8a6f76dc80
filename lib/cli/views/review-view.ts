import { formatDecimal } from '@/lib/core/money';
import { formatMoney } from '@/lib/i18n/format';
import { CHARGED_THOUGH_REFUSED } from '@/lib/reviews/rules';
import type { ListedReview } from '@/lib/reviews/store';
import { actionsFor, MESSAGE_QUESTION, QUESTIONS } from './review-actions';

const AMOUNTS: ReadonlySet<string> = new Set(['amount', 'ledgerAmount', 'statementAmount']);

/** Returns a review for JSON output, with amounts in shillings. For an open review, `actions` lists the commands that settle it. */
export function reviewView(review: ListedReview) {
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
  const { billId, attemptId, paymentId, reversalRequestId, messageId } = review;
  const about = Object.entries({ bill: billId, attempt: attemptId, payment: paymentId, reversal: reversalRequestId, message: messageId });
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
