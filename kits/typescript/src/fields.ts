import { amountText } from './amount.ts';
import { BiliError } from './errors.ts';

/** A JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function wrong(name: string): BiliError {
  return new BiliError(`Unexpected answer: "${name}" is missing or wrong. Is this the address of a Bili server?`);
}

export function fields(value: unknown, name = 'body'): Fields {
  if (!isFields(value)) throw wrong(name);
  return value;
}

export function list(from: Fields, name: string): readonly unknown[] {
  const value = from[name];
  if (!Array.isArray(value)) throw wrong(name);
  return value;
}

export function text(from: Fields, name: string): string {
  const value = from[name];
  if (typeof value !== 'string') throw wrong(name);
  return value;
}

export function flag(from: Fields, name: string): boolean {
  const value = from[name];
  if (typeof value !== 'boolean') throw wrong(name);
  return value;
}

export function amount(from: Fields, name: string): string {
  const value = from[name];
  if (typeof value !== 'number') throw wrong(name);
  return amountText(value);
}

export function date(from: Fields, name: string): Date {
  const value = from[name];
  if (typeof value !== 'number') throw wrong(name);
  return new Date(value);
}

/** Reads a JSON member that may be null or missing, for example because the server is older than this package. */
export function optional<Value>(read: (from: Fields, name: string) => Value, from: Fields, name: string): Value | null {
  return from[name] === null || from[name] === undefined ? null : read(from, name);
}

/**
 * Returns Unix milliseconds.
 * @throws BiliError if the value is no Date, or an invalid one
 */
export function unixMs(instant: Date | null | undefined, name: string): number | undefined {
  if (instant === null || instant === undefined) return undefined;
  if (!(instant instanceof Date) || Number.isNaN(instant.getTime())) throw new BiliError(`${name} must be a valid Date`);
  return instant.getTime();
}
