import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { z } from 'zod';

const answerSchema = z.union([z.strictObject({ result: z.unknown() }), z.strictObject({ error: z.record(z.string(), z.unknown()) })]);

export type Answer = z.infer<typeof answerSchema>;

/** A process that runs the commands of the conformance suite with one SDK. */
export interface Driver {
  run(command: string, args: unknown): Promise<Answer>;
  stop(): void;
}

export interface DriverCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export function startDriver({ command, args, env = {} }: DriverCommand): Driver {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(command, args, { env: { PATH, HOME, NODE_ENV: 'test', ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk) => (errors += chunk));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async run(name, commandArgs) {
      child.stdin.write(`${JSON.stringify({ command: name, args: commandArgs })}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error(`the driver ended: ${errors}`);
      return answerSchema.parse(JSON.parse(value));
    },
    stop() {
      child.kill();
    },
  };
}
