import type { Command } from 'commander';
import { withRuntime } from '@/lib/cli/deployment/connect';
import { writeNewFile } from '@/lib/cli/terminal/files';
import { type JsonFlag, jsonOption } from '@/lib/cli/terminal/options';
import { print } from '@/lib/cli/terminal/output';
import { writeStatement } from '@/lib/providers/sandbox/write-statement';
import { parsePeriod } from '@/lib/reconciliation/period';

export function addStatementCommand(simulate: Command): void {
  simulate
    .command('statement')
    .description('write a statement of the sandbox provider, to try "bili reconcile --format provider"')
    .requiredOption('--from <when>', 'first day (2026-11-01, East Africa Time), or a time with its offset')
    .requiredOption('--to <when>', 'last day (inclusive), or the time at which the period ends (exclusive)')
    .requiredOption('--output <file>', 'a new file')
    .addOption(jsonOption())
    .action(async ({ from, to, output, json }: JsonFlag & { from: string; to: string; output: string }, command: Command) => {
      const period = parsePeriod(from, to);
      if (!period.ok) return command.error(`--from, --to: ${period.error}`);
      const { csv, lines } = await withRuntime((runtime) => writeStatement(runtime, period.value));
      await writeNewFile(output, [csv]);
      print(json, { file: output, lines }, [`Wrote ${lines} lines to ${output}.`]);
    });
}
