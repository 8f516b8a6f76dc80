import { PROFILE_STATUSES } from '@/lib/core/profile-status';
import { ENVIRONMENTS } from '@/lib/core/scope';

/** The type of a column or parameter: what PostgreSQL calls it, and what it is in TypeScript. */
export interface SqlType<Value> {
  /** As `format_type` spells it. */
  readonly name: string;
  /** Whether it may be null. `excluded`: the column may be, but the statement returns no row in which it is. */
  readonly nullable: boolean | 'excluded';
  /** The values of an enum. */
  readonly labels?: readonly string[];
  /** Carries the TypeScript type; never present. */
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
/** For parameters, as `2026-11-20`. */
export const date = type<string>('date');
export const timestamptz = type<Date>('timestamp with time zone');
export const bytea = type<Buffer>('bytea');
/** For parameters: also what is no Buffer is sent as one. */
export const bytes = type<Uint8Array>('bytea');
/** Its reader checks what is in it. */
export const jsonb = type<unknown>('jsonb');
export const interval = type<string>('interval');
/** What a function returns that is called for its effect. */
export const nothing = type<unknown>('void');

/** @param name of the type in the database. @param labels its values, which a test compares. */
export function enumType<const Label extends string>(name: string, labels: readonly Label[]): SqlType<Label> {
  return { name, nullable: false, labels };
}

export const environment = enumType('environment', ENVIRONMENTS);
export const profileStatus = enumType('profile_status', PROFILE_STATUSES);

export function nullable<Value>(of: SqlType<Value>): SqlType<Value | null> {
  return { name: of.name, nullable: true, ...(of.labels && { labels: of.labels }) };
}

/** For a column that may be null, where the statement itself leaves such rows out. */
export function neverNull<Value>(of: SqlType<Value>): SqlType<Value> {
  return { ...of, nullable: 'excluded' };
}

export function array<Value>(of: SqlType<Value>): SqlType<readonly Value[]> {
  return { name: `${of.name}[]`, nullable: false, ...(of.labels && { labels: of.labels }) };
}

type Types = Readonly<Record<string, SqlType<unknown>>>;

/** For the columns of a statement with an outer join which leaves none of them empty: PostgreSQL cannot tell. */
export function neverNullInJoin<Columns extends Types>(columns: Columns): Columns;
export function neverNullInJoin(columns: Types): Types {
  return Object.fromEntries(Object.entries(columns).map(([name, type]) => [name, type.nullable ? type : neverNull(type)]));
}
