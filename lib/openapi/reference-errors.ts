import { paragraphs, table } from './markdown';
import type { ReferenceContext } from './reference-context';
import type { Operation } from './types';

interface ErrorRow {
  readonly status: string;
  readonly code: string;
  readonly message: string;
}

export interface ErrorTexts {
  /** Returns the address of the page that explains an error, or null. */
  readonly addressOf: (code: string) => string | null;
  /** Returns the cause of an error in the language of the API reference. Absent in English, because the English message names the cause. */
  readonly causeOf?: (code: string) => string;
}

/** The tables of errors in the API reference, as Markdown. */
interface ErrorTables {
  /**
   * Two tables. The first has the errors that all operations with an API key can return. The second has the further errors that all
   * operations with an API key and a request body can return.
   */
  readonly common: string;
  /** Returns a table of the errors of an operation that `common` does not list. Returns an empty text if there are none. */
  readonly of: (operation: Operation) => string;
}

export function errorTables({ t }: ReferenceContext, operations: readonly Operation[], { addressOf, causeOf }: ErrorTexts): ErrorTables {
  const everywhere = shared(operations.filter(({ security }) => security?.length !== 0));
  const withBody = shared(operations.filter(({ requestBody, security }) => requestBody && security?.length !== 0));
  const bodyOnly = without(withBody, everywhere);
  return {
    common: paragraphs(
      `## ${t('commonErrors')}`,
      errorTable(everywhere),
      bodyOnly.length === 0 ? '' : t('bodyErrors'),
      errorTable(bodyOnly),
    ),
    of(operation) {
      const rows = without(errorsOf(operation), [...everywhere, ...(operation.requestBody ? withBody : [])]);
      return rows.length === 0 ? '' : paragraphs(`**${t('errors')}**`, errorTable(rows));
    },
  };

  function errorTable(rows: readonly ErrorRow[]): string {
    const name = (code: string) => {
      const target = addressOf(code);
      return target === null ? `\`${code}\`` : `[\`${code}\`](${target})`;
    };
    return table(
      [t('status'), '`Bili-Error`', t('message'), ...(causeOf ? [t('cause')] : [])],
      rows.map(({ status, code, message }) => [status, name(code), ...(causeOf ? [`\`${message}\``, causeOf(code)] : [message])]),
    );
  }
}

function errorsOf({ responses }: Operation): ErrorRow[] {
  return Object.entries(responses).flatMap(([status, { content }]) =>
    Object.entries(content?.['application/json'].examples ?? {}).map(([code, { summary }]) => ({ status, code, message: summary })),
  );
}

/** An error whose message is not the same for all operations, so that each operation lists it. */
const OWN = 'key_scope_missing';

/** Returns the errors that all these operations have. */
function shared(operations: readonly Operation[]): ErrorRow[] {
  const [first = [], ...others] = operations.map(errorsOf);
  return first.filter(({ code }) => code !== OWN && others.every((rows) => rows.some((row) => row.code === code)));
}

function without(rows: readonly ErrorRow[], left: readonly ErrorRow[]): ErrorRow[] {
  return rows.filter(({ code }) => !left.some((row) => row.code === code));
}
