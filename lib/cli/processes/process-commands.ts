import { Command } from 'commander';
import { UserError } from '@/lib/cli/terminal/output';
import { connectedSettings } from '@/lib/entry/processes/start-settings';
import { RETIRE } from './supervise';

interface JsonFlag {
  readonly json: boolean;
}

/** The commands that run a process of the product, or several. */
const PROCESS_COMMANDS: readonly (string | undefined)[] = ['start', 'dev', 'web', 'worker', 'prepare'];

/**
 * Returns a command line with only `PROCESS_COMMANDS` if the command is one of them, otherwise undefined. No other part of the program is
 * loaded for it, so a supervisor needs a third of the memory, and the other processes load only what they run.
 */
export function processProgram([command]: readonly string[]): Command | undefined {
  if (!PROCESS_COMMANDS.includes(command)) return undefined;
  const program = new Command('bili').exitOverride().showHelpAfterError(false);
  addProcessCommands(program);
  addHelpHints(program, 'bili');
  return program;
}

/** Adds the commands that run processes. Each loads its part of the program when it runs. */
export function addProcessCommands(program: Command): void {
  program
    .command('start')
    .description('run everything: the database (embedded unless DATABASE_URL is set), one web process and one worker')
    .option('--ephemeral', 'use a new database that is deleted at the end, and print the credentials as JSON when ready', false)
    .option('--sandbox-only', 'say that no live payments are needed; --ephemeral requires it', false)
    .option('--json', 'print JSON', false)
    .action(async ({ json, ephemeral, sandboxOnly }: JsonFlag & { ephemeral: boolean; sandboxOnly: boolean }) => {
      if (ephemeral !== sandboxOnly) throw new UserError('Use --sandbox-only and --ephemeral together.');
      setLogFormat(json);
      await (await import('./start')).start({ dev: false, json, ephemeral });
    });
  program.command('dev', { hidden: true }).action(async () => (await import('./start')).start({ dev: true, json: false }));
  program
    .command('web')
    .description('run the web server, in as many processes as WEB_PROCESSES says')
    .option('--dev', 'reload on change', false)
    .option('--json', 'print JSON', false)
    .action(async ({ dev, json }: JsonFlag & { dev: boolean }) => {
      setLogFormat(json);
      const settings = connectedSettings(process.env);
      const { startWebProcesses, webProcesses } = await import('./web-processes');
      const count = webProcesses(settings, dev);
      if (count > 1) {
        const { prepareDatabase } = await import('./prepare');
        await prepareDatabase(settings, { own: false });
        return runUntilSignal(await startWebProcesses(count, settings));
      }
      const [{ startWeb }, { findRoute }] = await Promise.all([import('@/lib/entry/server/web'), import('@/app/direct-routes')]);
      const { checkDeployment } = await import('@/lib/cli/deployment/check-deployment');
      const secrets = await checkDeployment(settings);
      await runUntilSignal(await startWeb({ dev, findRoute, secrets }));
    });
  program
    .command('worker')
    .description('run one worker process')
    .option('--json', 'print JSON', false)
    .action(async ({ json }: JsonFlag) => {
      setLogFormat(json);
      const settings = connectedSettings(process.env);
      const [{ startWorker }, { buildRuntime }] = await Promise.all([
        import('@/lib/entry/worker/worker'),
        import('@/lib/entry/processes/process-runtime'),
      ]);
      const { checkDeployment } = await import('@/lib/cli/deployment/check-deployment');
      const secrets = await checkDeployment(settings);
      await runUntilSignal(await startWorker(buildRuntime({ settings, process: 'worker', secrets })));
    });
  program
    .command('prepare', { hidden: true })
    .option('--own', 'the database belongs to this machine', false)
    .action(async ({ own }: { own: boolean }) => (await import('./run-prepare')).runPrepare(connectedSettings(process.env), { own }));
}

/** With `--json`, a process that keeps running writes JSON logs, even to a terminal. Its child processes do the same. */
function setLogFormat(json: boolean): void {
  if (json) process.env.LOG_FORMAT = 'json';
}

/** Tells the parent process that the service is ready. Stops the service on a signal, or when the parent process has ended. */
export async function runUntilSignal(service: { stop(options: { retire: boolean }): Promise<void> }): Promise<void> {
  // Ctrl-C arrives twice: from the terminal and from the parent. The second one must not interrupt the shutdown.
  const signalled = new Promise<{ retire: boolean }>((resolve) => {
    for (const event of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect']) process.on(event, () => resolve({ retire: false }));
    process.on('message', (message) => message === RETIRE && resolve({ retire: true }));
  });
  process.send?.('ready');
  await service.stop(await signalled);
}

/** Adds a hint to each usage error of a command. The hint says how to show the help of that command. */
export function addHelpHints(command: Command, name: string): void {
  command.configureOutput({
    outputError: (text, write) => write(`${text.replace(/^error: |\.?\s*$/g, '').replaceAll('\n', ' ')}. See "${name} --help".\n`),
  });
  for (const child of command.commands) {
    child.copyInheritedSettings(command);
    addHelpHints(child, `${name} ${child.name()}`);
  }
}
