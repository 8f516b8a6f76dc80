/** What a bench has to take down again, in the order in which it was put up. */
export type Undo = (() => Promise<unknown>)[];

/** Runs a bench to its end, or until it is told to stop, and takes everything down again. Ends the process. */
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

/** Tells whoever waits how far it is; the results go to the standard output. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
