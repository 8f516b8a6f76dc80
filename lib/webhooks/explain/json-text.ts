/** How a program writes JSON. */
interface JsonStyle {
  /** Spaces of indentation; 0 for one line. */
  readonly indent: number;
  /** Spaces after `:` and `,`, as Python writes them on one line. */
  readonly spaced: boolean;
  /** Whether whole numbers keep a fraction, as in Python, Java and Ruby: 5000.0. */
  readonly fraction: boolean;
  readonly escapeSlashes: boolean;
  readonly escapeUnicode: boolean;
  readonly sortKeys: boolean;
}

/** The ways in which usual languages and libraries write JSON that they have read. */
export const JSON_STYLES: readonly JsonStyle[] = [
  { indent: 0, spaced: false },
  { indent: 0, spaced: true },
  { indent: 2, spaced: false },
  { indent: 4, spaced: false },
].flatMap((layout) =>
  [false, true].flatMap((fraction) =>
    [false, true].flatMap((sortKeys) =>
      [
        { escapeSlashes: false, escapeUnicode: false },
        { escapeSlashes: false, escapeUnicode: true },
        { escapeSlashes: true, escapeUnicode: true },
        { escapeSlashes: true, escapeUnicode: false },
      ].map((escapes) => ({ ...layout, fraction, sortKeys, ...escapes })),
    ),
  ),
);

/** Deeper than any webhook, and shallow enough for what walks through a value. */
const MAX_DEPTH = 100;

/** @returns what a text says as JSON, or undefined when it says nothing, or is nested more than 100 deep. */
export function parseJson(text: string): unknown {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    if (depth > MAX_DEPTH) return undefined;
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @returns a value as another program would write it. */
export function writeJson(value: unknown, style: JsonStyle, depth = 0): string {
  if (typeof value === 'string') return writeString(value, style);
  if (typeof value === 'number') return style.fraction && Number.isInteger(value) ? `${value}.0` : String(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = Array.isArray(value)
    ? value.map((item) => writeJson(item, style, depth + 1))
    : entriesOf(value, style).map(([name, item]) => {
        const colon = style.spaced || style.indent > 0 ? ': ' : ':';
        return writeString(name, style) + colon + writeJson(item, style, depth + 1);
      });
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  if (inner.length === 0 || style.indent === 0) return open + inner.join(style.spaced ? ', ' : ',') + close;
  const line = (levels: number) => `\n${' '.repeat(style.indent * levels)}`;
  return open + line(depth + 1) + inner.join(`,${line(depth + 1)}`) + line(depth) + close;
}

function entriesOf(value: object, { sortKeys }: JsonStyle): [string, unknown][] {
  const entries = Object.entries(value);
  return sortKeys ? entries.sort(([a], [b]) => (a < b ? -1 : 1)) : entries;
}

function writeString(text: string, { escapeSlashes, escapeUnicode }: JsonStyle): string {
  const written = escapeSlashes ? JSON.stringify(text).replaceAll('/', '\\/') : JSON.stringify(text);
  return escapeUnicode ? written.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`) : written;
}
