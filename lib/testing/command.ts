import { expect } from 'vitest';
import { runProgram } from './process';
import { TEST_SECRET_KEY, type TestRuntime } from './runtime';

/** Runs commands of the built program against a test's database. */
export function testCommand(runtime: () => TestRuntime) {
  const env = () => ({ DATABASE_URL: runtime().settings.DATABASE_URL, SECRET_KEY: TEST_SECRET_KEY });
  const bili = (...args: readonly string[]) => runProgram(args, env());
  /** Runs a command that reads a text on standard input. */
  const biliReading = (input: string, ...args: readonly string[]) => runProgram(args, env(), input);

  /** @returns what a command that succeeds, and complains about nothing, prints as JSON. */
  async function json(...args: readonly string[]): Promise<unknown> {
    const { code, stdout, stderr } = await bili(...args, '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout);
  }

  return { bili, biliReading, json };
}
