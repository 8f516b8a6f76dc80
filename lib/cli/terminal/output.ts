import { ExpectedError } from '@/lib/platform/config/expected-error';
import { formatApiAmount } from '@/lib/platform/core/money';

/** An error that the user can fix. It is printed as one sentence, and the command exits with 1. */
export class UserError extends ExpectedError {
  override readonly name = 'UserError';
}

/** Prints a command's result, as JSON or as lines. Bigints are senti and are printed in shillings in JSON, as in the API. */
export function print(json: boolean, value: unknown, lines: readonly string[]): void {
  process.stdout.write(json ? `${JSON.stringify(value, inShillings, 2)}\n` : `${lines.join('\n')}\n`);
}

/** Prints a list, or a sentence if it is empty. @param lines the list for people. */
export function printList(json: boolean, values: readonly unknown[], lines: readonly string[], none: string): void {
  print(json, values, values.length > 0 ? lines : [none]);
}

function inShillings(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(formatApiAmount(value)) : value;
}

/** Writes progress to standard error, so that standard output contains only the result. */
export function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}
