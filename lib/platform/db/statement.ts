import type { Queryable } from './database';
import type { Types, ValueOf } from './sql-types';

type Values<Declared extends Types> = { readonly [Name in keyof Declared]: ValueOf<Declared[Name]> };
/** The values of parameters. PostgreSQL's client sends any Uint8Array, and returns a Buffer. */
type Given<Declared extends Types> = { readonly [Name in keyof Declared]: Sent<ValueOf<Declared[Name]>> };
type Sent<Value> = Value extends Buffer ? Uint8Array : Value extends readonly (infer Element)[] ? readonly Sent<Element>[] : Value;
type None = Readonly<Record<never, never>>;

interface Declaration<Parameters extends Types, Columns extends Types> {
  /** Identifies the statement in test failures. For a prepared statement it is also the name on the server. */
  readonly name: string;
  /** The SQL, with named parameters such as `$billId`. */
  readonly text: string;
  readonly parameters?: Parameters;
  /** The columns of the result, in any order. */
  readonly columns?: Columns;
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
  rows(on: Queryable, values: Given<Parameters>): Promise<Values<Columns>[]>;
  first(on: Queryable, values: Given<Parameters>): Promise<Values<Columns> | undefined>;
}

export type Described = Pick<DeclaredStatement, 'name' | 'text' | 'parameters' | 'columns'>;

/** All statements of the loaded modules, with their variants, for the test that compares them with the database. */
export const declaredStatements: Described[] = [];

/** Declares a statement. Call it when the module is loaded, so that statements.test.ts finds the statement. */
export function statement<Parameters extends Types = None, Columns extends Types = None>(
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
export function variant<Parameters extends Types = None, Columns extends Types = None>(
  declaration: Declaration<Parameters, Columns>,
): DeclaredStatement<Parameters, Columns>;
export function variant({ name, text, parameters = {}, columns = {}, prepared = false }: Declaration<Types, Types>): DeclaredStatement {
  const names = Object.keys(parameters);
  const numbered = text.replace(/\$([a-z]\w*)/gi, (_, parameter: string) => {
    const index = names.indexOf(parameter);
    if (index === -1) throw new Error(`statement "${name}" does not declare its parameter $${parameter}`);
    return `$${index + 1}`;
  });
  const sql = prepared ? { name, text: numbered } : { text: numbered };
  const rows = (on: Queryable, values: Given<Types>) =>
    on.query<Values<Types>>(
      sql,
      names.map((parameter) => values[parameter]),
    );
  return { name, text: numbered, parameters, columns, rows, first: async (on, values) => (await rows(on, values))[0] };
}

/** Registers all variants of a statement for the test that compares declarations with the database. */
export function registerVariants(variants: readonly Described[]): void {
  declaredStatements.push(...variants);
}
