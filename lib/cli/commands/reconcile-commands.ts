import { basename } from 'node:path';
import { type Command, Option } from 'commander';
import { withRuntime } from '@/lib/cli/deployment/connect';
import { confirm, readWholeInput, writeNewFile } from '@/lib/cli/terminal/files';
import { type JsonFlag, withProviders } from '@/lib/cli/terminal/options';
import { print, printList, UserError } from '@/lib/cli/terminal/output';
import { type PreviewOptions, previewStatement, reconcileStatement } from '@/lib/gateway/reconciliation/reconcile-statement';
import type { Tally } from '@/lib/gateway/reconciliation/rules';
import {
  type Action,
  FINDINGS,
  type Finding,
  isMuchMissing,
  type MissingShare,
  shareOf,
  totalsOf,
} from '@/lib/gateway/reconciliation/rules';
import { exportReconciliation, listReconciliations, readLines, showReconciliation } from '@/lib/gateway/reconciliation/show-reconciliation';
import type { Statement } from '@/lib/gateway/reconciliation/statement';
import type { Reconciliation, StoredLine } from '@/lib/gateway/reconciliation/store';
import { formatDecimal, type Senti } from '@/lib/platform/core/money';
import { parsePeriod } from '@/lib/platform/core/period';
import { formatExactInstant, formatMoney } from '@/lib/platform/i18n/format';

const DIFFERENCES: readonly Finding[] = ['amount_differs', 'attempt_differs', 'receipt_differs', 'theirs_only', 'ours_only'];

interface ReconcileFlags extends JsonFlag {
  readonly account: string;
  readonly statement: string;
  readonly from: string;
  readonly to: string;
  readonly format: PreviewOptions['format'];
  readonly dryRun: boolean;
  readonly acceptMissing: boolean;
}

export function addReconcileCommands(program: Command): void {
  program
    .command('reconcile')
    .description("compare a provider's statement with the ledger, and book payments that the ledger does not have")
    .requiredOption('--account <account>', "the id of the account of the statement; 'bili provider list' shows it")
    .requiredOption('--statement <file>', 'the statement, a CSV file, "-" for standard input')
    .requiredOption('--from <when>', 'first day (2026-11-01, East Africa Time), or a time with its offset')
    .requiredOption('--to <when>', 'last day (inclusive), or the time at which the period ends (exclusive)')
    .addOption(
      new Option('--format <format>', "the file's format: canonical, or as the provider exports it")
        .choices(['canonical', 'provider'])
        .default('canonical'),
    )
    .option('--dry-run', 'print what the command would find and do, and change nothing', false)
    .option('--accept-missing', 'do not ask, even if the statement lacks many entries of the ledger', false)
    .action(async ({ account, statement, from, to, format, dryRun, acceptMissing, json }: ReconcileFlags, command: Command) => {
      const period = parsePeriod(from, to);
      if (!period.ok) return command.error(`--from, --to: ${period.error}`);
      const file = { name: basename(statement), bytes: await readWholeInput(statement) };
      const options = { accountId: account, file, format, period: period.value };
      if (dryRun) return printPreview(options, json);
      const ifIncomplete = acceptMissing
        ? 'accept'
        : (share: MissingShare) => confirm(`${describeMissing(share)}\nOpen a review of each missing entry, at most 100, and continue?`);
      const done = await withRuntime((runtime) =>
        reconcileStatement(withProviders(runtime), { ...options, ifIncomplete, actor: runtime.actor }),
      );
      if (!done.ok) throw new UserError([...done.error, 'Nothing was changed.'].join('\n'));
      const { run, tallies, skipped, repeated } = done.value;
      print(json, { ...runView(run), repeated, skipped, ...talliesView(tallies) }, [
        ...(repeated ? ['This statement was already reconciled, so nothing was changed. Earlier result:'] : []),
        ...describeRun(run),
        ...describeTallies(tallies),
        ...describeSkipped(skipped),
        `To list all differences: bili reconciliation show ${run.id}`,
      ]);
    });
  const group = program.command('reconciliation').description('show and export earlier reconciliations');
  addList(group);
  addShow(group);
  addExport(group);
}

async function printPreview(options: PreviewOptions, json: boolean): Promise<void> {
  const found = await withRuntime((runtime) => previewStatement(withProviders(runtime), options));
  if (!found.ok) throw new UserError(found.error.join('\n'));
  const { tallies, skipped, repeated } = found.value;
  const share = shareOf(tallies);
  print(json, { dryRun: true, repeated, missing: share.missing, skipped, ...talliesView(tallies) }, [
    repeated
      ? 'This statement was already reconciled, so the command would change nothing. Earlier result:'
      : 'Nothing was changed. Without --dry-run, the command would find and do this:',
    ...describeTallies(tallies),
    ...describeSkipped(skipped),
    ...(isMuchMissing(share) && !repeated ? [describeMissing(share)] : []),
  ]);
}

function addList(group: Command): void {
  group
    .command('list')
    .description('list reconciliations, newest first')
    .option('--account <account>', 'only those of this account (id)')
    .action(async ({ account, json }: JsonFlag & { account?: string }) => {
      const runs = await withRuntime((runtime) => listReconciliations(runtime, account ?? null));
      const lines = runs.map((run) => `${run.id}  ${describeRun(run)[0]}`);
      printList(json, runs.map(runView), lines, 'There are no reconciliations.');
    });
}

function addShow(group: Command): void {
  group
    .command('show')
    .description('show a reconciliation and its differences')
    .argument('<id>', "the reconciliation's id")
    .addOption(new Option('--finding <finding>', 'only lines with this finding').choices([...FINDINGS]))
    .action(async (id: string, { finding, json }: JsonFlag & { finding?: Finding }) => {
      const { run, tallies, lines } = await withRuntime(async (runtime) => {
        const shown = await showReconciliation(runtime, id);
        if (!shown) throw missing(id);
        const lines: StoredLine[] = [];
        for await (const part of readLines(runtime, shown.run.id, finding ? [finding] : DIFFERENCES)) lines.push(...part);
        return { ...shown, lines };
      });
      print(json, { ...runView(run), ...talliesView(tallies), lines: lines.map(lineView) }, [
        ...describeRun(run),
        ...describeTallies(tallies),
        ...lines.map(describeLine),
      ]);
    });
}

function addExport(group: Command): void {
  group
    .command('export')
    .description('write every line of a reconciliation as CSV')
    .argument('<id>', "the reconciliation's id")
    .option('--output <file>', 'a new file; default: standard output')
    .option('--json', 'print JSON: the lines, or with --output a summary', false)
    .action(async (id: string, { output, json }: JsonFlag & { output?: string }) => {
      await withRuntime(async (runtime) => {
        const shown = await showReconciliation(runtime, id);
        if (!shown) throw missing(id);
        if (output !== undefined) {
          await writeNewFile(output, exportReconciliation(runtime, shown.run.id));
          const lines = shown.tallies.reduce((sum, tally) => sum + tally.lines, 0);
          print(json, { id, file: output, lines }, [`Wrote ${lines} lines to ${output}.`]);
        } else if (json) {
          const lines: StoredLine[] = [];
          for await (const part of readLines(runtime, shown.run.id, null)) lines.push(...part);
          print(true, lines.map(lineView), []);
        } else {
          for await (const part of exportReconciliation(runtime, shown.run.id)) process.stdout.write(part);
        }
      });
    });
}

function missing(id: string): UserError {
  return new UserError(`There is no reconciliation ${id}. "bili reconciliation list" shows all.`);
}

const FINDING_TEXTS: Readonly<Record<Finding, string>> = {
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
function runView({ id, environment, accountId, account, from, to, fileName, requestedBy, createdAt, completedAt }: Reconciliation) {
  return { id, environment, accountId, account, from, to, file: fileName, requestedBy, createdAt, completedAt };
}

/** Returns the counts and sums of a reconciliation for JSON output. Amounts are strings with two decimals, in shillings. */
function talliesView(tallies: readonly Tally[]) {
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

function lineView(line: StoredLine) {
  return { ...line, statementAmount: shillings(line.statementAmount), ledgerAmount: shillings(line.ledgerAmount) };
}

/** Describes a reconciliation: file, account, period, and whether it was interrupted. */
function describeRun({ account, environment, fileName, from, to, completedAt }: Reconciliation): string[] {
  const state = completedAt ? '' : '; interrupted: reconcile the same file again to continue';
  return [`${fileName}, ${account} (${environment}), from ${instant(from)} until ${instant(to)}${state}`];
}

function describeTallies(tallies: readonly Tally[]): string[] {
  const found = tallies.map(
    (tally) =>
      `  ${FINDING_TEXTS[tally.finding]}: ${counted(tally.lines, tally.kind)}, ${formatMoney(largest(tally))} (${actionOf(tally)})`,
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
function describeMissing({ missing, entries, empty }: MissingShare): string {
  const lacks = empty ? 'has no payment or reversal in this period' : `lacks ${missing} of them`;
  return `The ledger has ${entries} entries in this period, but the statement ${lacks}. It may be cut off, or be of another account or period.`;
}

const largest = ({ finding, statementAmount, ledgerAmount }: Tally) => (finding === 'ours_only' ? ledgerAmount : statementAmount);

function describeSkipped({ not_completed, other_money, repeated }: Statement['skipped']): string[] {
  const parts = [
    not_completed > 0 && `${not_completed} not completed`,
    other_money > 0 && `${other_money} neither payment nor reversal`,
    repeated > 0 && `${repeated} repeated`,
  ].filter((part) => typeof part === 'string');
  return parts.length > 0 ? [`Ignored lines: ${parts.join(', ')}.`] : [];
}

function describeLine(line: StoredLine): string {
  const { number, finding, kind, transactionId, statementAmount, ledgerAmount, ourReference, happenedAt, paymentId } = line;
  const amounts = [
    statementAmount !== null && `statement ${formatMoney(statementAmount)}`,
    ledgerAmount !== null && `ledger ${formatMoney(ledgerAmount)}`,
  ].filter((part) => typeof part === 'string');
  return [
    `${number}`,
    FINDING_TEXTS[finding],
    `${kind} ${transactionId}`,
    amounts.join(', '),
    instant(happenedAt),
    ...(ourReference ? [ourReference] : []),
    actionOf(line),
    ...(paymentId ? [`payment ${paymentId}`] : []),
  ].join('  ');
}
