import { ENVIRONMENTS } from '@/lib/platform/core/scope';

/** The type of a column or parameter, in PostgreSQL and in TypeScript. */
export interface SqlType<Value> {
  /** The name in PostgreSQL, as `format_type` returns it. */
  readonly name: string;
  /** Whether the value can be null. `excluded`: the column is nullable, but the statement returns no row with null. */
  readonly nullable: boolean | 'excluded';
  readonly labels?: readonly string[];
  /** The name of the column in the database, for the type of a column. */
  readonly column?: string;
  /** Exists only as a type, to carry the TypeScript type. Never set. */
  readonly value?: Value;
}

export type Types = Readonly<Record<string, SqlType<unknown>>>;
export type ValueOf<Type> = Type extends SqlType<infer Value> ? Value : never;

const type = <Value>(name: string): SqlType<Value> => ({ name, nullable: false });

export const text = type<string>('text');
export const varchar = type<string>('character varying');
export const uuid = type<string>('uuid');
export const int2 = type<number>('smallint');
export const int4 = type<number>('integer');
export const int8 = type<bigint>('bigint');
export const float8 = type<number>('double precision');
export const boolean = type<boolean>('boolean');
/** For example `2026-11-20`. */
export const date = type<string>('date');
export const timestamptz = type<Date>('timestamp with time zone');
/** As a parameter, it accepts any Uint8Array. */
export const bytea = type<Buffer>('bytea');
export const bytes = type<Uint8Array>('bytea');
/** The reader must validate the value. */
export const jsonb = type<unknown>('jsonb');
export const interval = type<string>('interval');
/** The result of a function without a return value. */
export const nothing = type<unknown>('void');

export function enumType<const Label extends string>(name: string, labels: readonly Label[]): SqlType<Label> {
  return { name, nullable: false, labels };
}

export const environment = enumType('environment', ENVIRONMENTS);

/** Declares a column of a table. Only `generated/tables.ts` does so, which has the types of all columns. */
export function column<Value>(name: string, of: SqlType<Value>): SqlType<Value> {
  return { ...of, column: name };
}

export function nullable<Value>(of: SqlType<Value>): SqlType<Value | null> {
  return { ...of, nullable: true };
}

/** Declares a column that PostgreSQL reports as nullable, although the statement returns no row with null in it. */
export function neverNull<Value>(of: SqlType<Value>): SqlType<NonNullable<Value>> {
  return { name: of.name, nullable: 'excluded', ...(of.labels && { labels: of.labels }), ...(of.column && { column: of.column }) };
}

export function array<Value>(of: SqlType<Value>): SqlType<readonly Value[]> {
  return { name: `${of.name}[]`, nullable: false, ...(of.labels && { labels: of.labels }), ...(of.column && { column: of.column }) };
}

/** Declares arrays of values of several types: the parameters of a statement that reads rows with `unnest`. */
export function arrays<Of extends Types>(of: Of): { readonly [Name in keyof Of]: SqlType<readonly ValueOf<Of[Name]>[]> };
export function arrays(of: Types): Types {
  return Object.fromEntries(Object.entries(of).map(([name, type]) => [name, array(type)]));
}

/** The names in a list that spaces and line breaks separate. */
type NamesIn<List extends string> = List extends `${infer First} ${infer Rest}`
  ? NamesIn<First> | NamesIn<Rest>
  : List extends `${infer First}\n${infer Rest}`
    ? NamesIn<First> | NamesIn<Rest>
    : Exclude<List, ''>;

/** A list whose names are all columns of a table; otherwise a text that says which are not. */
type ColumnList<Table, List extends string> =
  Exclude<NamesIn<List>, keyof Table> extends infer Wrong extends string
    ? [Wrong] extends [never]
      ? List
      : `${Wrong} is not a column of the table`
    : never;

/** Returns the types of some columns of a table. @param names their names, for example `id createdAt`. */
export function pick<Table extends Types, const List extends string>(
  table: Table,
  names: ColumnList<Table, List>,
): Pick<Table, NamesIn<List> & keyof Table>;
export function pick(table: Types, names: string): Types {
  return Object.fromEntries(Object.entries(table).filter(([name]) => names.split(/\s+/).includes(name)));
}

/** Returns the SQL that selects columns, for the types that a statement declares. @param alias the alias of the table with its dot. */
export function select(columns: Types, alias = ''): string {
  return Object.entries(columns)
    .map(([name, { column }]) => `${alias}${column}${column === name ? '' : ` AS "${name}"`}`)
    .join(', ');
}

/** Returns Prisma's `select` object for the columns of an SQL statement. */
export function selectionOf<Columns extends object>(columns: Columns): { readonly [Name in keyof Columns]: true };
export function selectionOf(columns: object): Readonly<Record<string, true>> {
  return Object.fromEntries(Object.keys(columns).map((name) => [name, true]));
}
