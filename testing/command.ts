import { expect } from 'vitest';
import { runCommand } from './run-command';
import { TEST_SECRET_KEY, type TestRuntime } from './runtime';

/** Runs commands of the built program with a test's database. */
export function testCommand(runtime: () => TestRuntime) {
  const env = () => ({ DATABASE_URL: runtime().settings.DATABASE_URL, SECRET_KEY: TEST_SECRET_KEY });
  const bili = (...args: readonly string[]) => runCommand(args, env());
  /** Runs a command with a text on standard input. */
  const biliReading = (input: string, ...args: readonly string[]) => runCommand(args, env(), input);

  /** Runs a command and returns its JSON output. The command must succeed without warnings. */
  async function json(...args: readonly string[]): Promise<unknown> {
    const { code, stdout, stderr } = await bili(...args, '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout);
  }

  return { bili, biliReading, json };
}
