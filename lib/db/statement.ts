import type { Queryable } from './database';
import type { SqlType, ValueOf } from './sql-types';

type Types = Readonly<Record<string, SqlType<unknown>>>;
type Values<Declared extends Types> = { readonly [Name in keyof Declared]: ValueOf<Declared[Name]> };

interface Declaration<Parameters extends Types, Columns extends Types> {
  /** Identifies the statement in test failures. For a prepared statement it is also the name on the server. */
  readonly name: string;
  /** The SQL, with named parameters such as `$billId`. */
  readonly text: string;
  readonly parameters: Parameters;
  /** The columns of the result; empty for a statement that returns no rows. */
  readonly columns: Columns;
  /** Whether the statement is prepared once per connection, for hot paths. */
  readonly prepared?: boolean;
}

/** A statement with the TypeScript types of its declaration. A test compares each declaration with the database. */
export interface DeclaredStatement<Parameters extends Types = Types, Columns extends Types = Types> {
  readonly name: string;
  /** The SQL that is sent, with numbered parameters. */
  readonly text: string;
  readonly parameters: Parameters;
  readonly columns: Columns;
  rows(on: Queryable, values: Values<Parameters>): Promise<Values<Columns>[]>;
  first(on: Queryable, values: Values<Parameters>): Promise<Values<Columns> | undefined>;
}

export type Described = Pick<DeclaredStatement, 'name' | 'text' | 'parameters' | 'columns'>;

/** All statements of the loaded modules, with their variants, for the test that compares them with the database. */
export const declaredStatements: Described[] = [];

/** Declares a statement. Call it when the module is loaded, so that statements.test.ts finds the statement. */
export function statement<Parameters extends Types, Columns extends Types>(
  declaration: Declaration<Parameters, Columns>,
): DeclaredStatement<Parameters, Columns> {
  const declared = variant(declaration);
  declaredStatements.push(declared);
  return declared;
}

/**
 * Declares one of several variants of a statement whose text is assembled at run time. Register all variants with
 * {@link registerVariants}, so that statements.test.ts finds them.
 */
export function variant<Parameters extends Types, Columns extends Types>(
  declaration: Declaration<Parameters, Columns>,
): DeclaredStatement<Parameters, Columns> {
  const { name, parameters, columns, prepared = false } = declaration;
  const names = Object.keys(parameters);
  const text = declaration.text.replace(/\$([a-z]\w*)/gi, (_, parameter: string) => {
    const index = names.indexOf(parameter);
    if (index === -1) throw new Error(`statement "${name}" does not declare its parameter $${parameter}`);
    return `$${index + 1}`;
  });
  const sql = prepared ? { name, text } : { text };
  const rows = (on: Queryable, values: Values<Parameters>) =>
    on.query<Values<Columns>>(
      sql,
      names.map((parameter) => values[parameter]),
    );
  return { name, text, parameters, columns, rows, first: async (on, values) => (await rows(on, values))[0] };
}

/** Registers all variants of a statement for the test that compares declarations with the database. */
export function registerVariants(variants: readonly Described[]): void {
  declaredStatements.push(...variants);
}
