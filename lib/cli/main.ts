import { runCommand } from './run-command';

/** Resolves when standard output is flushed, or its reader has gone. Exiting earlier would cut off a long answer in a pipe. */
function printed(): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.once('error', () => resolve());
    process.stdout.write('', () => resolve());
  });
}

const code = await runCommand(process.argv.slice(2));
await printed();
process.exit(code);
