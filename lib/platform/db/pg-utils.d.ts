// The package pg exports this file, but the types of pg do not declare it.
declare module 'pg/lib/utils.js' {
  /** Converts a value to the form in which it is sent as a parameter. */
  export function prepareValue(value: unknown): string | Buffer | null;
}
