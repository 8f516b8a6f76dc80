import { CommanderError } from 'commander';
import { UnknownOperatorError } from '@/lib/audit/record-entry';
import { databaseProblem } from '@/lib/cli/deployment/connect';
import { UserError } from '@/lib/cli/terminal/output';
import { MigrationError } from '@/lib/db/migration-table';
import { StartError } from '@/lib/processes/process-runtime';
import { buildProgram } from './program';

const USAGE_ERROR = 2;
/** Errors whose message is meant for the person who runs the command. */
const EXPECTED = [StartError, UserError, MigrationError, UnknownOperatorError];

/** Runs one command with the settings of `process.env`. Writes to standard output and standard error. @returns the exit code */
export async function runCommand(args: readonly string[]): Promise<number> {
  try {
    await buildProgram().parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_ERROR;
    const expected = error instanceof Error && EXPECTED.some((kind) => error instanceof kind) ? error : databaseProblem(error);
    process.stderr.write(expected ? `${expected.message}\n` : `${error instanceof Error ? error.stack : String(error)}\n`);
    return 1;
  }
}
