// TypeScript does not declare JSON.rawJSON (ECMAScript 2026, Node 22). lib/http/body.ts declares that a reviver gets the source text.
declare global {
  interface JSON {
    rawJSON(text: string): unknown;
  }
}

/**
 * Parses JSON. Each number becomes an object from which JSON.stringify writes the same text, so `5000.0` stays `5000.0`. Throws a
 * SyntaxError.
 */
export function parseKeepingNumbers(text: string): unknown {
  return JSON.parse(text, (_, value: unknown, { source }) =>
    typeof value === 'number' && source !== undefined ? JSON.rawJSON(source) : value,
  );
}

/** Indents JSON, without changing how numbers are written: amounts keep their decimal point. Returns other text as it is. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(parseKeepingNumbers(text), null, 2);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return text;
    throw error;
  }
}
