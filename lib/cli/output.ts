/** Something the user can put right: printed as a sentence, exit code 1. */
export class UserError extends Error {
  override readonly name = 'UserError';
}

/** Prints a command's answer: JSON for programs, lines for people. */
export function print(json: boolean, value: unknown, lines: readonly string[]): void {
  process.stdout.write(json ? `${JSON.stringify(value, null, 2)}\n` : `${lines.join('\n')}\n`);
}

/** Says what is being done, on standard error, so that answers stay clean. */
export function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}
