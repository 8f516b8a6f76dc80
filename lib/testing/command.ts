import { expect } from 'vitest';
import { runProgram } from './process';
import { TEST_SECRET_KEY, type TestRuntime } from './runtime';

/** Runs commands of the built program against a test's database. */
export function testCommand(runtime: () => TestRuntime) {
  const bili = (...args: readonly string[]) =>
    runProgram(args, { DATABASE_URL: runtime().settings.DATABASE_URL, SECRET_KEY: TEST_SECRET_KEY });

  /** @returns what a command that succeeds, and complains about nothing, prints as JSON. */
  async function json(...args: readonly string[]): Promise<unknown> {
    const { code, stdout, stderr } = await bili(...args, '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout);
  }

  return { bili, json };
}
