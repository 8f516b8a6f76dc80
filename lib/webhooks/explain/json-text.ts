interface JsonStyle {
  /** Spaces of indentation; 0 for one line. */
  readonly indent: number;
  /** Whether there is a space after `:` and `,` on one line, as in Python. */
  readonly spaced: boolean;
  /** Whether whole numbers have a fraction (5000.0), as in Python, Java and Ruby. */
  readonly fraction: boolean;
  readonly escapeSlashes: boolean;
  readonly escapeUnicode: boolean;
  readonly sortKeys: boolean;
}

/** The styles in which common languages and libraries serialize JSON that they have parsed. */
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

/** Webhooks are never nested so deep. The limit protects recursive functions. */
const MAX_DEPTH = 100;

/** Parses JSON. @returns undefined if the text is not JSON, or is nested more than 100 levels deep. */
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

/** Serializes a value in the style of another program. */
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
