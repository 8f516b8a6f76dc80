import { CommanderError } from 'commander';
import { UnknownOperatorError } from '@/lib/audit/record-entry';
import { databaseProblem } from '@/lib/cli/deployment/connect';
import { UserError } from '@/lib/cli/terminal/output';
import { MigrationError } from '@/lib/db/migration-table';
import { StartError } from '@/lib/processes/process-runtime';
import { buildProgram } from './program';

const WRONG_USE = 2;
/** Errors whose message is a sentence for whoever runs the command. */
const TOLD = [StartError, UserError, MigrationError, UnknownOperatorError];

async function main(): Promise<number> {
  try {
    await buildProgram().parseAsync();
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USE;
    const told = error instanceof Error && TOLD.some((kind) => error instanceof kind) ? error : databaseProblem(error);
    process.stderr.write(told ? `${told.message}\n` : `${error instanceof Error ? error.stack : String(error)}\n`);
    return 1;
  }
}

/** Resolves when everything that was printed has left, or nobody reads it any more: a long answer fills a pipe. */
function printed(): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.once('error', () => resolve());
    process.stdout.write('', () => resolve());
  });
}

const code = await main();
await printed();
process.exit(code);
