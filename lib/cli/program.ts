import { Command, InvalidArgumentError, Option } from 'commander';
import { addCommands } from '@/lib/cli/commands/commands';
import { checkDeployment } from '@/lib/cli/deployment/check-deployment';
import { type JsonFlag, jsonOption } from '@/lib/cli/terminal/options';
import { ENVIRONMENTS } from '@/lib/core/scope';
import { buildRuntime, connectedSettings } from '@/lib/processes/process-runtime';
import { SIMULATORS } from '@/lib/providers/simulators';
import type { SimulateMpesaOptions } from './simulate/mpesa';
import type { SimulateOptions } from './simulate/provider';
import { addStatementCommand } from './simulate/statement';
import { RETIRE } from './supervise';

/** Builds the command line. docs/operating.md contains its descriptions as a table. */
export function buildProgram(): Command {
  const program = new Command('bili')
    .description('A self-hosted bill-payment gateway for Tanzania.')
    .option('--as <name>', 'who runs the command, for the audit log; default: BILI_OPERATOR, the login that called sudo, or the login')
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
      setLogFormat(json);
      await (await import('./start')).start({ dev: false, json });
    });
  program.command('dev', { hidden: true }).action(async () => (await import('./start')).start({ dev: true, json: false }));
  program
    .command('web')
    .description('run the web server, in as many processes as WEB_PROCESSES says')
    .option('--dev', 'reload on change', false)
    .addOption(jsonOption())
    .action(async ({ dev, json }: JsonFlag & { dev: boolean }) => {
      setLogFormat(json);
      const settings = connectedSettings(process.env);
      const { startWebProcesses, webProcesses } = await import('./web-processes');
      const count = webProcesses(settings, dev);
      if (count > 1) {
        await checkDeployment(settings);
        return runUntilSignal(await startWebProcesses(count, settings));
      }
      const [{ startWeb }, { findRoute }] = await Promise.all([import('@/lib/server/web'), import('@/app/direct-routes')]);
      await checkDeployment(settings);
      await runUntilSignal(await startWeb({ dev, findRoute }));
    });
  program
    .command('worker')
    .description('run one worker process')
    .addOption(jsonOption())
    .action(async ({ json }: JsonFlag) => {
      setLogFormat(json);
      const { startWorker } = await import('@/lib/worker/worker');
      const settings = connectedSettings(process.env);
      await checkDeployment(settings);
      await runUntilSignal(await startWorker(buildRuntime({ settings, process: 'worker' })));
    });
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
  addHelpHints(program, 'bili');
  return program;
}

/** With `--json`, a process that keeps running writes JSON logs, even to a terminal. Its child processes do the same. */
function setLogFormat(json: boolean): void {
  if (json) process.env.LOG_FORMAT = 'json';
}

/** Tells the parent process that the service is ready, and stops it on a signal or when the parent is gone. */
async function runUntilSignal(service: { stop(options: { retire: boolean }): Promise<void> }): Promise<void> {
  // Ctrl-C arrives twice: from the terminal and from the parent. The second one must not interrupt the shutdown.
  const signalled = new Promise<{ retire: boolean }>((resolve) => {
    for (const event of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect']) process.on(event, () => resolve({ retire: false }));
    process.on('message', (message) => message === RETIRE && resolve({ retire: true }));
  });
  process.send?.('ready');
  await service.stop(await signalled);
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

/** Adds to each usage error of a command a hint that names the help of that command. */
function addHelpHints(command: Command, name: string): void {
  command.configureOutput({
    outputError: (text, write) => write(`${text.replace(/^error: |\.?\s*$/g, '').replaceAll('\n', ' ')}. See "${name} --help".\n`),
  });
  for (const child of command.commands) {
    child.copyInheritedSettings(command);
    addHelpHints(child, `${name} ${child.name()}`);
  }
}
