import { basename } from 'node:path';
import { type Command, Option } from 'commander';
import { withRuntime } from '@/lib/cli/deployment/connect';
import { confirm, readWholeInput, writeNewFile } from '@/lib/cli/terminal/files';
import { type JsonFlag, withProviders } from '@/lib/cli/terminal/options';
import { print, printList, UserError } from '@/lib/cli/terminal/output';
import {
  describeLine,
  describeMissing,
  describeRun,
  describeSkipped,
  describeTallies,
  lineView,
  runView,
  talliesView,
} from '@/lib/cli/views/reconciliation-view';
import { exportReconciliation } from '@/lib/reconciliation/export-reconciliation';
import type { StoredLine } from '@/lib/reconciliation/line-store';
import { parsePeriod } from '@/lib/reconciliation/period';
import { type PreviewOptions, previewStatement, reconcileStatement } from '@/lib/reconciliation/reconcile-statement';
import { FINDINGS, type Finding } from '@/lib/reconciliation/rules';
import { listReconciliations, readLines, showReconciliation } from '@/lib/reconciliation/show-reconciliation';
import { isMuchMissing, type MissingShare, shareOf } from '@/lib/reconciliation/summary';

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
