import { formatApiAmount } from '@/lib/core/money';

/** Something the user can put right: printed as a sentence, exit code 1. */
export class UserError extends Error {
  override readonly name = 'UserError';
}

/** Prints a command's answer: JSON for programs, lines for people. A bigint is money in senti; JSON shows shillings, as the API does. */
export function print(json: boolean, value: unknown, lines: readonly string[]): void {
  process.stdout.write(json ? `${JSON.stringify(value, inShillings, 2)}\n` : `${lines.join('\n')}\n`);
}

function inShillings(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(formatApiAmount(value)) : value;
}

/** Says what is being done, on standard error, so that answers stay clean. */
export function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}
