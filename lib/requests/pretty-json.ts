// ECMAScript 2026, Node 22 and later. See lib/http/body.ts for the source texts.
declare global {
  interface JSON {
    rawJSON(text: string): unknown;
  }
}

/** Indents JSON, without changing how numbers are written: amounts keep their decimal point. Returns other text as it is. */
export function prettyJson(text: string): string {
  try {
    const parsed: unknown = JSON.parse(text, (_, value: unknown, { source }) =>
      typeof value === 'number' && source !== undefined ? JSON.rawJSON(source) : value,
    );
    return JSON.stringify(parsed, null, 2);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return text;
    throw error;
  }
}
