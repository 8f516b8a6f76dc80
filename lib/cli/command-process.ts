// Runs one command after the other, each with its own settings, for tests: the start of a process costs far more than most commands.
import { Readable, Writable } from 'node:stream';
import { z } from 'zod';
import { runCommand } from './run-command';

const requestSchema = z.object({ args: z.array(z.string()), env: z.record(z.string(), z.string()), input: z.string() });

/** Replaces an output stream of the process. Returns a function that gives the text written to it. */
function collect(name: 'stdout' | 'stderr'): () => string {
  const parts: Buffer[] = [];
  const value = new Writable({
    write(part: Buffer, _encoding, done) {
      parts.push(part);
      done();
    },
  });
  Object.defineProperty(process, name, { value, configurable: true });
  return () => Buffer.concat(parts).toString();
}

process.on('message', async (message) => {
  const { args, env, input } = requestSchema.parse(message);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  const [stdout, stderr] = [collect('stdout'), collect('stderr')];
  Object.defineProperty(process, 'stdin', { value: Readable.from(input === '' ? [] : [Buffer.from(input)]), configurable: true });
  const code = await runCommand(args);
  process.send?.({ code, stdout: stdout(), stderr: stderr() });
});
process.on('disconnect', () => process.exit());
