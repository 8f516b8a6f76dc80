import { Command, InvalidArgumentError, Option } from 'commander';
import { addCommands } from '@/lib/cli/commands/commands';
import { checkDeployment } from '@/lib/cli/deployment/check-deployment';
import { type JsonFlag, jsonOption } from '@/lib/cli/terminal/options';
import { ENVIRONMENTS } from '@/lib/core/scope';
import { buildRuntime, connectedSettings } from '@/lib/processes/process-runtime';
import type { SimulateMpesaOptions } from './simulate';
import { addStatementCommand } from './simulate-statement';

/** @returns the command line, not yet run. Its descriptions are also the table of commands in docs/operating.md. */
export function buildProgram(): Command {
  const program = new Command('bili')
    .description('A self-hosted bill-payment gateway for Tanzania.')
    .option('--as <name>', 'who runs the command, for the audit log; otherwise BILI_OPERATOR, the login that called sudo, or the login')
    .hook('preAction', (_program, action) => {
      const { as } = action.optsWithGlobals<{ as?: string }>();
      if (as !== undefined) process.env.BILI_OPERATOR = as;
    })
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .showHelpAfterError(false);
  addCommands(program);
  program
    .command('start')
    .description('run everything: the database (embedded unless DATABASE_URL is set), one web process and one worker')
    .addOption(jsonOption())
    .action(async ({ json }: JsonFlag) => {
      logAs(json);
      await (await import('./start')).start({ dev: false, json });
    });
  program.command('dev', { hidden: true }).action(async () => (await import('./start')).start({ dev: true, json: false }));
  program
    .command('web')
    .description('run one web process')
    .option('--dev', 'reload on change', false)
    .addOption(jsonOption())
    .action(async ({ dev, json }: JsonFlag & { dev: boolean }) => {
      logAs(json);
      const [{ startWeb }, { findRoute }] = await Promise.all([import('@/lib/server/web'), import('@/app/direct-routes')]);
      await checkDeployment(connectedSettings(process.env));
      await runUntilSignal(await startWeb({ dev, findRoute }));
    });
  program
    .command('worker')
    .description('run one worker process')
    .addOption(jsonOption())
    .action(async ({ json }: JsonFlag) => {
      logAs(json);
      const { startWorker } = await import('@/lib/worker/worker');
      const settings = connectedSettings(process.env);
      await checkDeployment(settings);
      await runUntilSignal(await startWorker(buildRuntime({ settings, process: 'worker' })));
    });
  const simulate = program.command('simulate').description('simulated providers for trials and tests');
  addStatementCommand(simulate);
  simulate
    .command('mpesa')
    .description("run a simulator of Vodacom's M-Pesa OpenAPI; the last digits of a mobile number decide the outcome of a prompt")
    .option('--port <port>', 'where it listens, on this machine only', between(1, 65_535), 4100)
    .addOption(new Option('--mode <mode>', 'how pushes are answered').choices(['sync', 'async']).default('async'))
    .addOption(
      new Option('--environment <environment>', 'which accounts the printed credentials are for')
        .choices([...ENVIRONMENTS])
        .default('sandbox'),
    )
    .option('--callback-url <url>', 'where results go in asynchronous mode', address)
    .option('--origin <origin>', 'the trusted source that may call', '*')
    .option('--warmup <seconds>', 'how long a new session does not work yet', between(0, 120), 5)
    .option('--json', 'print JSON', false)
    .action(async (options: SimulateMpesaOptions) => {
      const { simulateMpesa } = await import('./simulate');
      await runUntilSignal(await simulateMpesa(options));
    });
  sayWhereHelpIs(program, 'bili');
  return program;
}

/** `--json` of a process that runs on: its log, also in a terminal. Processes that it starts do the same. */
function logAs(json: boolean): void {
  if (json) process.env.LOG_FORMAT = 'json';
}

/** Tells whoever started us that we serve, and stops on a signal or when they are gone. */
async function runUntilSignal(service: { stop(): Promise<void> }): Promise<void> {
  // Ctrl-C comes twice, from the terminal and from whoever started us: the second must not cut the first short.
  const signalled = new Promise<void>((resolve) => {
    for (const event of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect']) process.on(event, () => resolve());
  });
  process.send?.('ready');
  await signalled;
  await service.stop();
}

function between(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) throw new InvalidArgumentError(`It must be a number from ${min} to ${max}`);
    return value;
  };
}

function address(text: string): string {
  if (!/^https?:/.test(URL.parse(text)?.protocol ?? '')) throw new InvalidArgumentError('It must be an http or https address');
  return text;
}

/** Has each command end what it says is wrong with where its own help is. */
function sayWhereHelpIs(command: Command, name: string): void {
  command.configureOutput({
    outputError: (text, write) => write(`${text.replace(/^error: |\.?\s*$/g, '').replaceAll('\n', ' ')}. See "${name} --help".\n`),
  });
  for (const child of command.commands) {
    child.copyInheritedSettings(command);
    sayWhereHelpIs(child, `${name} ${child.name()}`);
  }
}
