import type { Queryable } from './database';
import type { SqlType, ValueOf } from './sql-types';

type Types = Readonly<Record<string, SqlType<unknown>>>;
type Values<Declared extends Types> = { readonly [Name in keyof Declared]: ValueOf<Declared[Name]> };

interface Declaration<Parameters extends Types, Columns extends Types> {
  /** What a failing test calls it. A prepared statement is known to the server by it. */
  readonly name: string;
  /** Parameters stand in it by name, as `$billId`. */
  readonly text: string;
  readonly parameters: Parameters;
  /** What it returns; none for a statement that returns no rows. */
  readonly columns: Columns;
  /** Whether it is prepared once per connection: for the hot paths. */
  readonly prepared?: boolean;
}

/** A statement whose TypeScript types derive from what it declares. A test compares the declaration with the database. */
export interface DeclaredStatement<Parameters extends Types = Types, Columns extends Types = Types> {
  readonly name: string;
  /** As it is sent: parameters by number. */
  readonly text: string;
  readonly parameters: Parameters;
  readonly columns: Columns;
  /** @returns the rows. */
  rows(on: Queryable, values: Values<Parameters>): Promise<Values<Columns>[]>;
  /** @returns the first row, or undefined if there is none. */
  first(on: Queryable, values: Values<Parameters>): Promise<Values<Columns> | undefined>;
}

export type Described = Pick<DeclaredStatement, 'name' | 'text' | 'parameters' | 'columns'>;

/** Every statement that the loaded modules declare, with its variants. */
export const declaredStatements: Described[] = [];

/** Declares a statement. Modules do so as they are loaded. */
export function statement<Parameters extends Types, Columns extends Types>(
  declaration: Declaration<Parameters, Columns>,
): DeclaredStatement<Parameters, Columns> {
  const declared = variant(declaration);
  declaredStatements.push(declared);
  return declared;
}

/**
 * Declares one of several forms of a statement, whose text is put together when it is needed. Whatever it is made from has to be
 * registered, so that the test sees each form: {@link registerVariants}.
 */
export function variant<Parameters extends Types, Columns extends Types>(
  declaration: Declaration<Parameters, Columns>,
): DeclaredStatement<Parameters, Columns> {
  const { name, parameters, columns, prepared = false } = declaration;
  const names = Object.keys(parameters);
  const text = declaration.text.replace(/\$([a-z]\w*)/gi, (_, parameter: string) => {
    const place = names.indexOf(parameter);
    if (place === -1) throw new Error(`statement "${name}" does not declare its parameter $${parameter}`);
    return `$${place + 1}`;
  });
  const sent = prepared ? { name, text } : { text };
  const rows = (on: Queryable, values: Values<Parameters>) =>
    on.query<Values<Columns>>(
      sent,
      names.map((parameter) => values[parameter]),
    );
  return { name, text, parameters, columns, rows, first: async (on, values) => (await rows(on, values))[0] };
}

/** Names every form of a statement, for the test that compares declarations with the database. */
export function registerVariants(forms: readonly Described[]): void {
  declaredStatements.push(...forms);
}
