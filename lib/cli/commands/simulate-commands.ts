import { type Command, InvalidArgumentError, Option } from 'commander';
import { withRuntime } from '@/lib/cli/deployment/connect';
import { runUntilSignal } from '@/lib/cli/processes/process-commands';
import { writeNewFile } from '@/lib/cli/terminal/files';
import { type JsonFlag, jsonOption } from '@/lib/cli/terminal/options';
import { print } from '@/lib/cli/terminal/output';
import { parsePeriod } from '@/lib/platform/core/period';
import { ENVIRONMENTS } from '@/lib/platform/core/scope';
import { PROVIDERS } from '@/lib/providers/registry';
import { writeStatement } from '@/lib/providers/sandbox/simulator';
import type { SimulateMpesaOptions, SimulateOptions } from './simulate';

/** Adds a command for each simulated provider, and one that writes statements of the sandbox. */
export function addSimulateCommands(simulate: Command): void {
  addStatementCommand(simulate);
  simulate
    .command('mpesa')
    .description("run a simulator of Vodacom's M-Pesa OpenAPI; the last digits of a mobile number decide the outcome of a prompt")
    .option('--port <port>', 'the port on which it listens, on this machine only', between(1, 65_535), 4100)
    .addOption(
      new Option('--mode <mode>', 'whether requests for prompts are answered with the outcome (sync) or at once (async)')
        .choices(['sync', 'async'])
        .default('async'),
    )
    .addOption(
      new Option('--environment <environment>', 'the environment of the printed credentials').choices([...ENVIRONMENTS]).default('sandbox'),
    )
    .option('--callback-url <url>', 'the callback URL for outcomes in async mode', address)
    .option('--origin <origin>', 'the trusted origin that may call', '*')
    .option('--warmup <seconds>', 'seconds until a new session works', between(0, 120), 5)
    .option('--json', 'print JSON', false)
    .action(async (options: SimulateMpesaOptions) => {
      const { simulateMpesa } = await import('./simulate');
      await runUntilSignal(await simulateMpesa(options));
    });
  for (const { name, label, startSimulator } of PROVIDERS) {
    if (startSimulator === null) continue;
    simulate
      .command(name)
      .description(`run a simulator of ${label}; the last digits of a mobile number decide the outcome of a prompt`)
      .option('--port <port>', 'the port on which it listens, on this machine only', between(1, 65_535), 4100)
      .option('--callback-url <url>', 'the callback URL for outcomes, if requests do not contain it', address)
      .option('--json', 'print JSON', false)
      .action(async (options: SimulateOptions) => {
        const { simulateProvider } = await import('./simulate');
        await runUntilSignal(await simulateProvider({ label, startSimulator }, options));
      });
  }
}

function addStatementCommand(simulate: Command): void {
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

function between(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) throw new InvalidArgumentError(`It must be a number from ${min} to ${max}`);
    return value;
  };
}

function address(text: string): string {
  if (!/^https?:/.test(URL.parse(text)?.protocol ?? '')) throw new InvalidArgumentError('It must be an http or https URL');
  return text;
}
