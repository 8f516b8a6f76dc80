import { Command } from 'commander';
import { addCommands } from './commands/commands';
import { addEffects } from './commands/effects';
import { addSimulateCommands } from './commands/simulate-commands';
import { addHelpHints, addProcessCommands } from './processes/process-commands';

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
  addSimulateCommands(program.command('simulate').description('run simulated providers for trials and tests'));
  addEffects(program);
  addHelpHints(program, 'bili');
  return program;
}
