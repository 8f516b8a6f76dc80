import { Command, InvalidArgumentError, Option } from 'commander';
import { addCommands } from '@/lib/cli/commands/commands';
import { addEffects } from '@/lib/cli/commands/effects';
import { ENVIRONMENTS } from '@/lib/core/scope';
import { SIMULATORS } from '@/lib/providers/simulators';
import { addHelpHints, addProcessCommands, runUntilSignal } from './process-commands';
import type { SimulateMpesaOptions } from './simulate/mpesa';
import type { SimulateOptions } from './simulate/provider';
import { addStatementCommand } from './simulate/statement';

/** Builds the command line. docs/operating.md contains its descriptions as a table. */
export function buildProgram(): Command {
  const program = new Command('bili')
    .description('A self-hosted bill-payment gateway for Tanzania.')
    .option('--as <name>', 'who runs the command, for the audit log; default: BILI_OPERATOR, the login that called sudo, or the login')
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .showHelpAfterError(false);
  addCommands(program);
  addProcessCommands(program);
  const simulate = program.command('simulate').description('run simulated providers for trials and tests');
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
      const { simulateMpesa } = await import('./simulate/mpesa');
      await runUntilSignal(await simulateMpesa(options));
    });
  for (const [name, { title }] of Object.entries(SIMULATORS))
    simulate
      .command(name)
      .description(`run a simulator of ${title}; the last digits of a mobile number decide the outcome of a prompt`)
      .option('--port <port>', 'the port on which it listens, on this machine only', between(1, 65_535), 4100)
      .option('--callback-url <url>', 'the callback URL for outcomes, if requests do not contain it', address)
      .option('--json', 'print JSON', false)
      .action(async (options: SimulateOptions) => {
        const { simulateProvider } = await import('./simulate/provider');
        await runUntilSignal(await simulateProvider(name, options));
      });
  addEffects(program);
  addHelpHints(program, 'bili');
  return program;
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
