import { paragraphs, table } from './markdown';
import type { Operation } from './types';

interface ErrorRow {
  readonly status: string;
  readonly code: string;
  readonly message: string;
}

/** Writes the tables of errors of a reference. */
interface ErrorTables {
  /** The errors that every operation with a key has, and those that every operation with a body has. */
  readonly common: string;
  /** Returns the other errors of an operation; empty if there are none. */
  readonly of: (operation: Operation) => string;
}

/** @param address returns the address that explains a code; null if there is none */
export function errorTables(operations: readonly Operation[], address: (code: string) => string | null): ErrorTables {
  const everywhere = shared(operations.filter(({ security }) => security?.length !== 0));
  const withBody = shared(operations.filter(({ requestBody, security }) => requestBody && security?.length !== 0));
  const bodyOnly = without(withBody, everywhere);
  return {
    common: paragraphs(
      '## Errors of every operation',
      errorTable(everywhere),
      bodyOnly.length === 0 ? '' : 'Errors of every operation with a body:',
      errorTable(bodyOnly),
    ),
    of(operation) {
      const rows = without(errorsOf(operation), [...everywhere, ...withBody]);
      return rows.length === 0 ? '' : paragraphs('**Errors**', errorTable(rows));
    },
  };

  function errorTable(rows: readonly ErrorRow[]): string {
    const name = (code: string) => {
      const target = address(code);
      return target === null ? `\`${code}\`` : `[\`${code}\`](${target})`;
    };
    return table(
      ['status', '`Bili-Error`', 'message'],
      rows.map(({ status, code, message }) => [status, name(code), message]),
    );
  }
}

function errorsOf({ responses }: Operation): ErrorRow[] {
  return Object.entries(responses).flatMap(([status, { content }]) =>
    Object.entries(content?.['application/json'].examples ?? {}).map(([code, { summary }]) => ({ status, code, message: summary })),
  );
}

/** Returns the errors that all operations have. */
function shared(operations: readonly Operation[]): ErrorRow[] {
  const [first = [], ...others] = operations.map(errorsOf);
  return first.filter(({ code }) => others.every((rows) => rows.some((row) => row.code === code)));
}

function without(rows: readonly ErrorRow[], left: readonly ErrorRow[]): ErrorRow[] {
  return rows.filter(({ code }) => !left.some((row) => row.code === code));
}
