import { z } from 'zod';

// Schemas of values in answers of the API.

/** Returns the schema of an instant in an answer of the API. */
export function timeSchema(description: string) {
  return z.int().meta({ format: 'int64', description: `${description} Unix milliseconds.` });
}

/** Returns the schema of an amount in an answer of the API. */
export function moneySchema(description: string) {
  return z.number().meta({ format: 'double', description: `${description} Shillings, always with a decimal point.` });
}

/** Returns the schema of a value that is one of these now. Later versions may add values, so the API description allows any text. */
export function openEnum<const Value extends string>(values: readonly Value[]) {
  return z.enum(values).meta({ 'x-open': true });
}
