import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { z } from 'zod';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';
import { cleanEnv, type Env } from './process';

const BUILD = join(PROJECT_ROOT, '.build');
const answerSchema = z.object({ code: z.number(), stdout: z.string(), stderr: z.string() });

type Answer = z.infer<typeof answerSchema>;

let commandProcess: ChildProcess | undefined;
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command of the built program and waits for its end. All commands of a test process run in one shared child process, one after
 * the other. To test the program's own process, or to run several commands at the same time, use `runProgram`.
 * @param input the command's standard input.
 */
export function runCommand(args: readonly string[], env: Env, input = ''): Promise<Answer> {
  const answer = last.then(() => ask({ args, env: cleanEnv(env), input }));
  last = answer.catch(() => undefined);
  return answer;
}

function ask(request: object): Promise<Answer> {
  const child = runningProcess();
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error('the process of the commands ended'));
    child.once('exit', ended);
    child.once('message', (message) => {
      child.off('exit', ended);
      resolve(answerSchema.parse(message));
    });
    child.send(request);
  });
}

function runningProcess(): ChildProcess {
  if (commandProcess?.connected) return commandProcess;
  const env = { ...cleanEnv({}), NODE_COMPILE_CACHE: join(BUILD, 'compiled') };
  const started = fork(join(BUILD, 'command-process.mjs'), { env, execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  // The child process ends with this process, and must not keep this process running.
  started.unref();
  started.channel?.unref();
  commandProcess = started;
  return started;
}
