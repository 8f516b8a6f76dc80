import { Command, CommanderError } from 'commander';
import { buildRuntime, connectedSettings, StartError } from '@/lib/server/process-runtime';
import { addCommands } from './commands';
import { databaseProblem } from './connect';
import { type JsonFlag, jsonOption } from './options';
import { UserError } from './output';

const WRONG_USE = 2;

async function main(): Promise<number> {
  const program = new Command('bili')
    .description('A self-hosted bill-payment gateway for Tanzania.')
    .exitOverride()
    .showHelpAfterError(false)
    .configureOutput({ outputError: (text, write) => write(`${text.replace(/^error: /, '').trim()}. See "bili --help".\n`) });
  addCommands(program);
  program
    .command('start')
    .description('run everything: database, web and worker')
    .addOption(jsonOption())
    .action(async ({ json }: JsonFlag) => {
      logAs(json);
      await (await import('./start')).start({ dev: false, json });
    });
  program.command('dev', { hidden: true }).action(async () => (await import('./start')).start({ dev: true, json: false }));
  program
    .command('web')
    .description('run the web process')
    .option('--dev', 'reload on change', false)
    .addOption(jsonOption())
    .action(async ({ dev, json }: JsonFlag & { dev: boolean }) => {
      logAs(json);
      const { startWeb } = await import('@/lib/server/web');
      await runUntilSignal(await startWeb({ dev }));
    });
  program
    .command('worker')
    .description('run a worker process')
    .addOption(jsonOption())
    .action(async ({ json }: JsonFlag) => {
      logAs(json);
      const { startWorker } = await import('@/lib/worker/worker');
      await runUntilSignal(await startWorker(buildRuntime({ settings: connectedSettings(process.env), process: 'worker' })));
    });
  inheritErrors(program);

  try {
    await program.parseAsync();
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USE;
    const told = error instanceof StartError || error instanceof UserError ? error : databaseProblem(error);
    process.stderr.write(told ? `${told.message}\n` : `${error instanceof Error ? error.stack : String(error)}\n`);
    return 1;
  }
}

/** `--json` of a process that runs on: its log, also in a terminal. Processes that it starts do the same. */
function logAs(json: boolean): void {
  if (json) process.env.LOG_FORMAT = 'json';
}

/** Tells whoever started us that we serve, and stops on a signal or when they are gone. */
async function runUntilSignal(service: { stop(): Promise<void> }): Promise<void> {
  const signalled = new Promise<void>((resolve) => {
    for (const event of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect']) process.once(event, () => resolve());
  });
  process.send?.('ready');
  await signalled;
  await service.stop();
}

function inheritErrors(command: Command): void {
  for (const child of command.commands) {
    child.copyInheritedSettings(command);
    inheritErrors(child);
  }
}

process.exit(await main());
