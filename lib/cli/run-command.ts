import { CommanderError } from 'commander';
import { databaseProblem } from '@/lib/cli/deployment/open-database';
import { keepTlsStrong } from '@/lib/platform/config/certificate-checks';
import { ExpectedError } from '@/lib/platform/config/expected-error';
import { processProgram } from './processes/process-commands';

const USAGE_ERROR = 2;

/** Runs one command with the settings of `process.env`. Writes to standard output and standard error. @returns the exit code */
export async function runCommand(args: readonly string[]): Promise<number> {
  try {
    await keepTlsStrong();
    const program = processProgram(args) ?? (await import('./program')).buildProgram();
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_ERROR;
    const expected = error instanceof ExpectedError ? error : databaseProblem(error);
    process.stderr.write(expected ? `${expected.message}\n` : `${error instanceof Error ? error.stack : String(error)}\n`);
    return 1;
  }
}
