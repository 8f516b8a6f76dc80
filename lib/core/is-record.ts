/** @returns whether a value is an object whose entries can be read by name. An array is one, too. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
