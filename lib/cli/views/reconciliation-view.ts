import { formatDecimal, type Senti } from '@/lib/core/money';
import { formatExactInstant, formatMoney } from '@/lib/i18n/format';
import type { StoredLine } from '@/lib/reconciliation/line-store';
import type { Action, Finding } from '@/lib/reconciliation/rules';
import type { Statement } from '@/lib/reconciliation/statement';
import type { Reconciliation, Tally } from '@/lib/reconciliation/store';
import { type MissingShare, totalsOf } from '@/lib/reconciliation/summary';

const FINDINGS: Readonly<Record<Finding, string>> = {
  matched: 'matched',
  amount_differs: 'amount differs',
  theirs_only: 'statement only',
  ours_only: 'ledger only',
  outside_period: 'outside the period',
  attempt_differs: 'attempt differs',
  receipt_differs: 'receipt differs',
};
const ACTIONS: Readonly<Record<Action, string>> = {
  none: 'no action needed',
  kept_unmatched: 'booked as unmatched',
  settled_attempt: 'attempt settled',
  booked_reversal: 'booked',
  opened_review: 'under review',
  added_to_review: 'added to an open review',
};

/** Describes what was done about a finding. */
function actionOf({ finding, action, kind }: { finding: Finding; action: Action; kind: string }): string {
  if (action !== 'none') return ACTIONS[action];
  if (finding === 'theirs_only' && kind === 'reversal') return 'not booked, because its payment is unknown';
  if (finding === 'amount_differs' || finding === 'attempt_differs' || finding === 'receipt_differs') return 'already reviewed';
  return finding === 'ours_only' ? 'ask the provider' : ACTIONS.none;
}

const shillings = (amount: Senti | null) => (amount === null ? null : formatDecimal(amount));
const instant = (at: Date) => formatExactInstant(at, 'en');
const counted = (lines: number, kind: string) => `${lines} ${kind}${lines === 1 ? '' : 's'}`;

/** Returns a reconciliation for JSON output. */
export function runView({ id, environment, accountId, account, from, to, fileName, requestedBy, createdAt, completedAt }: Reconciliation) {
  return { id, environment, accountId, account, from, to, file: fileName, requestedBy, createdAt, completedAt };
}

/** Returns the counts and sums of a reconciliation for JSON output. Amounts are strings with two decimals, in shillings. */
export function talliesView(tallies: readonly Tally[]) {
  return {
    found: tallies.map((tally) => ({
      ...tally,
      statementAmount: formatDecimal(tally.statementAmount),
      ledgerAmount: formatDecimal(tally.ledgerAmount),
    })),
    totals: totalsOf(tallies).map(({ kind, statement, ledger }) => ({
      kind,
      statement: { ...statement, amount: formatDecimal(statement.amount) },
      ledger: { ...ledger, amount: formatDecimal(ledger.amount) },
    })),
  };
}

export function lineView(line: StoredLine) {
  return { ...line, statementAmount: shillings(line.statementAmount), ledgerAmount: shillings(line.ledgerAmount) };
}

/** Describes a reconciliation: file, account, period, and whether it was interrupted. */
export function describeRun({ account, environment, fileName, from, to, completedAt }: Reconciliation): string[] {
  const state = completedAt ? '' : '; interrupted: reconcile the same file again to continue';
  return [`${fileName}, ${account} (${environment}), from ${instant(from)} until ${instant(to)}${state}`];
}

export function describeTallies(tallies: readonly Tally[]): string[] {
  const found = tallies.map(
    (tally) => `  ${FINDINGS[tally.finding]}: ${counted(tally.lines, tally.kind)}, ${formatMoney(largest(tally))} (${actionOf(tally)})`,
  );
  const totals = totalsOf(tallies)
    .filter(({ statement, ledger }) => statement.lines + ledger.lines > 0)
    .map(
      ({ kind, statement, ledger }) =>
        `  statement: ${counted(statement.lines, kind)}, ${formatMoney(statement.amount)}; ledger: ${counted(ledger.lines, kind)}, ${formatMoney(ledger.amount)}`,
    );
  return found.length > 0 ? [...found, ...totals] : ['  The statement and the ledger have no entries in this period.'];
}

/** Describes how many entries of the ledger a statement lacks. */
export function describeMissing({ missing, entries, empty }: MissingShare): string {
  const lacks = empty ? 'has no payment or reversal in this period' : `lacks ${missing} of them`;
  return `The ledger has ${entries} entries in this period, but the statement ${lacks}. It may be cut off, or be of another account or period.`;
}

const largest = ({ finding, statementAmount, ledgerAmount }: Tally) => (finding === 'ours_only' ? ledgerAmount : statementAmount);

export function describeSkipped({ not_completed, other_money, repeated }: Statement['skipped']): string[] {
  const parts = [
    not_completed > 0 && `${not_completed} not completed`,
    other_money > 0 && `${other_money} neither payment nor reversal`,
    repeated > 0 && `${repeated} repeated`,
  ].filter((part) => typeof part === 'string');
  return parts.length > 0 ? [`Ignored lines: ${parts.join(', ')}.`] : [];
}

export function describeLine(line: StoredLine): string {
  const { number, finding, kind, transactionId, statementAmount, ledgerAmount, ourReference, happenedAt, paymentId } = line;
  const amounts = [
    statementAmount !== null && `statement ${formatMoney(statementAmount)}`,
    ledgerAmount !== null && `ledger ${formatMoney(ledgerAmount)}`,
  ].filter((part) => typeof part === 'string');
  return [
    `${number}`,
    FINDINGS[finding],
    `${kind} ${transactionId}`,
    amounts.join(', '),
    instant(happenedAt),
    ...(ourReference ? [ourReference] : []),
    actionOf(line),
    ...(paymentId ? [`payment ${paymentId}`] : []),
  ].join('  ');
}
