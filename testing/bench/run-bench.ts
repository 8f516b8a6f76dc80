/** Clean-up steps of a benchmark. The step that was added last runs first. */
export type Undo = (() => Promise<unknown>)[];

/** Runs a benchmark until it ends or is interrupted, then cleans up and ends the process. */
export async function runBench(main: (undo: Undo) => Promise<void>): Promise<never> {
  const undo: Undo = [];
  const stopped = new Promise<never>((_resolve, reject) => {
    for (const event of ['SIGINT', 'SIGTERM', 'disconnect']) process.once(event, () => reject(new Error('Stopped.')));
  });
  try {
    await Promise.race([main(undo), stopped]);
    process.exitCode = 0;
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  } finally {
    for (const step of undo.reverse()) await step();
  }
  process.exit();
}

/** Writes progress to standard error. Results go to standard output. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
