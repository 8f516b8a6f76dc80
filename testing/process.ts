import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';

const PROGRAM = join(PROJECT_ROOT, '.build', 'bili.mjs');

/**
 * Node's options for processes that run for seconds. They avoid optimisation and garbage collection, which would take a third of the
 * processor time.
 */
export const SHORT_LIVED = [
  '--liftoff-only',
  '--no-opt',
  '--no-maglev',
  '--single-threaded-gc',
  '--min-semi-space-size=32',
  '--max-semi-space-size=32',
];

export type Env = Readonly<Record<string, string>>;

/** A process of the built product. */
export interface Running {
  readonly child: ChildProcess;
  /** Returns the output of the process so far. */
  output(): string;
  /** Resolves when the process has printed the text. Rejects if the process ends before. */
  printed(text: string): Promise<void>;
  /** Resolves with the exit code of the process, or null if a signal ended the process. */
  exited: Promise<number | null>;
  kill(signal: NodeJS.Signals): Promise<void>;
}

/** Starts a command of the built program, or another program, with the environment that `cleanEnv` returns. */
export function startProgram(args: readonly string[], env: Env, program = PROGRAM, nodeOptions: readonly string[] = []): Running {
  const child = spawn(process.execPath, [...nodeOptions, program, ...args], { env: cleanEnv(env), stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  const listeners = new Set<() => void>();
  const collect = (chunk: Buffer) => {
    text += chunk;
    for (const listener of listeners) listener();
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const exited = once(child, 'close').then(([code]: (number | null)[]) => code ?? null);
  return {
    child,
    exited,
    output: () => text,
    async printed(wanted) {
      const seen = Promise.withResolvers<void>();
      const check = () => text.includes(wanted) && seen.resolve();
      listeners.add(check);
      check();
      const ended = exited.then((code) => {
        throw new Error(`the process ended with ${code} before it printed "${wanted}":\n${text}`);
      });
      await Promise.race([seen.promise, ended]);
      listeners.delete(check);
    },
    async kill(signal) {
      child.kill(signal);
      await exited;
    },
  };
}

/** Runs a command of the built program to its end. @param input its standard input. */
export async function runProgram(
  args: readonly string[],
  env: Env,
  input = '',
  program = PROGRAM,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [...SHORT_LIVED, program, ...args], { env: cleanEnv(env), stdio: 'pipe' });
  child.stdin.on('error', () => undefined).end(input);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const [code] = await once(child, 'close');
  return { code, stdout, stderr };
}

/** Returns the environment of a process of the product: the given variables, our PATH and HOME, and the settings that all tests share. */
export function cleanEnv(env: Env): NodeJS.ProcessEnv {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME, NODE_ENV: 'production', SHUTDOWN_DELAY: '0', WEB_PROCESSES: '1', BILI_OPERATOR: 'test', ...env };
}
