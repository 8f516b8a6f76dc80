import pg from 'pg';
import { prepareValue } from 'pg/lib/utils.js';

const { INT8, TIMESTAMPTZ } = pg.types.builtins;

type Values = readonly unknown[];
type Row = Record<string, unknown>;
type Done = (error: unknown, result: { readonly rows: Row[] } | undefined) => void;

/** A column of a statement's result. */
export interface Column {
  readonly name: string;
  readonly parse: (text: string) => unknown;
}

/** Reads bigint columns as bigint: money must not pass through a float. Reads instants faster than pg's parser. */
export const columnTypes = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === INT8) return BigInt;
    if (oid === TIMESTAMPTZ && format !== 'binary') return readInstant;
    return format === 'binary' ? pg.types.getTypeParser(oid, 'binary') : pg.types.getTypeParser(oid, 'text');
  },
};

/** Sessions have the time zone UTC, so an instant of the years 1 to 9999 is written like `2026-11-20 08:00:00.123456+00`. */
function readInstant(text: string): unknown {
  const usual = text[10] === ' ' && text.endsWith('+00');
  return usual ? new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`) : pg.types.getTypeParser(TIMESTAMPTZ, 'text')(text);
}

/** Returns the columns of a result, with the functions that read their values. */
export function describeColumns(fields: readonly pg.FieldDef[]): Column[] {
  return fields.map(({ name, dataTypeID }) => ({ name, parse: columnTypes.getTypeParser(dataTypeID) }));
}

/**
 * Executes a statement that this session has prepared, and whose result columns are known. pg's own query asks for the description of the
 * columns at each execution, and reads it, which takes a third of the time of a small query. The known columns are never outdated, because
 * PostgreSQL refuses to execute a prepared statement whose result columns have changed. This class extends pg's Query, because the driver
 * pipelines only instances of that class.
 */
export class PreparedExecution extends pg.Query {
  readonly name: string;
  readonly callback: Done;
  readonly #columns: readonly Column[];
  readonly #rows: Row[] = [];
  #failure: { readonly error: unknown } | undefined;
  override readonly submit: (connection: pg.Connection) => unknown;

  constructor(name: string, values: Values, columns: readonly Column[], callback: Done) {
    super(name);
    this.name = name;
    this.callback = callback;
    this.#columns = columns;
    this.submit = (connection) => execute(connection, name, values);
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    try {
      const row: Row = {};
      let index = 0;
      for (const { name, parse } of this.#columns) {
        const text = fields[index] ?? null;
        row[name] = text === null ? null : parse(text);
        index += 1;
      }
      this.#rows.push(row);
    } catch (error) {
      // The error is thrown later, because the session can be used again only after it has read the whole answer.
      this.#failure ??= { error };
    }
  }

  handleCommandComplete(): void {
    // The rows are complete. ReadyForQuery follows.
  }

  handleError(error: unknown): void {
    this.callback(error, undefined);
  }

  handleReadyForQuery(): void {
    if (this.#failure) this.callback(this.#failure.error, undefined);
    else this.callback(null, { rows: this.#rows });
  }
}

/** Sends a prepared statement with its parameters. Returns an error if a parameter cannot be sent. */
function execute(connection: pg.Connection, statement: string, parameters: Values): unknown {
  try {
    connection.bind({ statement, values: parameters.map(toParameter) }, true);
    connection.execute(null, true);
    connection.sync();
    return null;
  } catch (error) {
    return error;
  }
}

/** Converts a value to the text of a parameter. Writes instants in UTC. pg writes them with the offset of this machine, which is slower. */
function toParameter(value: unknown): string | Buffer | null {
  return value instanceof Date ? value.toISOString() : prepareValue(value);
}
