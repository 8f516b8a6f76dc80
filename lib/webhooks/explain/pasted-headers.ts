/** The three headers of Standard Webhooks as text; undefined if a header was not found. */
export interface PastedHeaders {
  readonly id: string | undefined;
  readonly timestamp: string | undefined;
  readonly signature: string | undefined;
}

/** Maximum length of a header value, in characters. */
const MAX_VALUE = 2_000;

/**
 * Finds the three headers in a text of any usual format: `Name: value` lines, also with the `<` or `>` of `curl -v`, JSON, a printed
 * object of PHP, Python, Ruby or Node, or environment variables such as HTTP_WEBHOOK_ID. Ignores letter case.
 */
export function readHeaders(text: string): PastedHeaders {
  const found = (name: string) => findIn(fromJson(text), name) ?? findInText(text, name);
  return { id: found('id'), timestamp: found('timestamp'), signature: found('signature') };
}

/** Returns names and values from JSON: an object, a list of pairs, or a flat list such as Node's rawHeaders. Empty for other texts. */
function fromJson(text: string): [string, string][] {
  try {
    const parsed: unknown = JSON.parse(text);
    if (!Array.isArray(parsed)) return typeof parsed === 'object' && parsed !== null ? Object.entries(parsed).map(pair) : [];
    if (parsed.every((item) => Array.isArray(item))) return parsed.map(([name, value]: unknown[]) => pair([String(name), value]));
    return parsed.flatMap((name: unknown, index) => (index % 2 === 0 ? [pair([String(name), parsed[index + 1]])] : []));
  } catch {
    return [];
  }
}

/** Converts a value to text. The value may be a list, as in Go and PHP. */
function pair([name, value]: [string, unknown]): [string, string] {
  return [name, Array.isArray(value) ? value.join(' ') : String(value ?? '')];
}

function findIn(headers: readonly (readonly [string, string])[], name: string): string | undefined {
  const wanted = new RegExp(`^(http[-_])?webhook[-_]${name}$`, 'i');
  return filled(headers.find(([given]) => wanted.test(given.trim()))?.[1]);
}

function findInText(text: string, name: string): string | undefined {
  const label = new RegExp(`(?<![\\w-])(?:http[-_])?webhook[-_]${name}["'\\]]*[ \\t]*(?:=>|:|=)[ \\t]*(.{0,${MAX_VALUE}})`, 'i');
  return filled(
    label
      .exec(text)?.[1]
      ?.replace(/^[[('"\s]+/, '')
      .replace(/(?:["')\]\\].*|[,;\s]+)$/, ''),
  );
}

function filled(value: string | undefined): string | undefined {
  return value?.trim() || undefined;
}
