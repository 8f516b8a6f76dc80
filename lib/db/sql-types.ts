import { PROFILE_STATUSES } from '@/lib/core/profile-status';
import { ENVIRONMENTS } from '@/lib/core/scope';

/** The type of a column or parameter, in PostgreSQL and in TypeScript. */
export interface SqlType<Value> {
  /** The name in PostgreSQL, as `format_type` returns it. */
  readonly name: string;
  /** Whether the value can be null. `excluded`: the column is nullable, but the statement returns no row with null. */
  readonly nullable: boolean | 'excluded';
  readonly labels?: readonly string[];
  /** Exists only as a type, to carry the TypeScript type. Never set. */
  readonly value?: Value;
}

export type ValueOf<Type> = Type extends SqlType<infer Value> ? Value : never;

const type = <Value>(name: string): SqlType<Value> => ({ name, nullable: false });

export const text = type<string>('text');
export const uuid = type<string>('uuid');
export const int2 = type<number>('smallint');
export const int4 = type<number>('integer');
export const int8 = type<bigint>('bigint');
export const float8 = type<number>('double precision');
export const boolean = type<boolean>('boolean');
/** Only for parameters, for example `2026-11-20`. */
export const date = type<string>('date');
export const timestamptz = type<Date>('timestamp with time zone');
export const bytea = type<Buffer>('bytea');
/** Only for parameters: accepts any Uint8Array. */
export const bytes = type<Uint8Array>('bytea');
/** The reader must validate the value. */
export const jsonb = type<unknown>('jsonb');
export const interval = type<string>('interval');
/** The result of a function without a return value. */
export const nothing = type<unknown>('void');

/** Declares an enum. A test compares it with the database. @param name the name of the type in the database. @param labels its values. */
export function enumType<const Label extends string>(name: string, labels: readonly Label[]): SqlType<Label> {
  return { name, nullable: false, labels };
}

export const environment = enumType('environment', ENVIRONMENTS);
export const profileStatus = enumType('profile_status', PROFILE_STATUSES);

export function nullable<Value>(of: SqlType<Value>): SqlType<Value | null> {
  return { name: of.name, nullable: true, ...(of.labels && { labels: of.labels }) };
}

/** Declares a column that PostgreSQL reports as nullable, although the statement returns no row with null in it. */
export function neverNull<Value>(of: SqlType<Value>): SqlType<Value> {
  return { ...of, nullable: 'excluded' };
}

export function array<Value>(of: SqlType<Value>): SqlType<readonly Value[]> {
  return { name: `${of.name}[]`, nullable: false, ...(of.labels && { labels: of.labels }) };
}

type Types = Readonly<Record<string, SqlType<unknown>>>;

/** Declares columns of an outer join that always finds a row. PostgreSQL reports these columns as nullable, but they are never null. */
export function neverNullInJoin<Columns extends Types>(columns: Columns): Columns;
export function neverNullInJoin(columns: Types): Types {
  return Object.fromEntries(Object.entries(columns).map(([name, type]) => [name, type.nullable ? type : neverNull(type)]));
}
