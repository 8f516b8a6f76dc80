import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';

export interface Running {
  readonly pid: number;
  /** The first message of the process, with which it reports that it is ready. */
  readonly hello: unknown;
  /** Sends a message to the process and returns its next message. */
  ask(message: object): Promise<unknown>;
  stop(): Promise<void>;
}

const STOP_MS = 15_000;

interface StartOptions {
  readonly name: string;
  /** The path below `.build`. */
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Options of Node. */
  readonly nodeOptions?: readonly string[];
  /** The folder of the log file. The process logs to a file, as in production. */
  readonly logFolder: string;
}

// Replaces variables of the shell, so that only the benchmark's settings apply. An empty variable counts as missing.
const DEFAULTS = {
  LIVE_BASE_URL: '',
  SANDBOX_BASE_URL: '',
  LOG_LEVEL: '',
  TRUSTED_PROXIES: '',
  SHUTDOWN_DELAY: '0',
  // By default there is one web process for each processor, so results of different machines could not be compared.
  WEB_PROCESSES: '1',
  NODE_ENV: 'production',
} as const;

/** Starts a process and waits until it reports that it is ready. */
export async function startProcess({ name, program, args, env, nodeOptions = [], logFolder }: StartOptions): Promise<Running> {
  const log = openSync(join(logFolder, `${name}.log`), 'a');
  const child = fork(join(PROJECT_ROOT, '.build', program), args, {
    env: { ...process.env, ...DEFAULTS, ...env },
    execArgv: [...process.execArgv, ...nodeOptions],
    stdio: ['ignore', log, log, 'ipc'],
  });
  const exited = once(child, 'exit');
  const ready = await Promise.race([once(child, 'message'), exited.then(() => null)]);
  if (!ready || child.pid === undefined) throw new Error(`${name} did not start: see ${logFolder}/${name}.log`);
  const [hello]: unknown[] = ready;
  return { pid: child.pid, hello, ask: (message) => ask(child, message), stop: () => stop(child, exited) };
}

async function ask(child: ChildProcess, message: object): Promise<unknown> {
  const answered = once(child, 'message');
  child.send(message);
  const [answer]: unknown[] = await answered;
  return answer;
}

/** Node may hang while it exits after much load (nodejs/node#54918), so a process that does not end is killed. */
async function stop(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await exited;
  clearTimeout(force);
}
