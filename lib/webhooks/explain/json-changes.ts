import { bare, type Finding } from './finding';
import { parseJson } from './json-text';

/** Maximum length of a value in findings, in characters. */
const SHOWN = 40;

interface Tokens {
  readonly text: string;
  readonly strings: readonly string[];
  readonly numbers: readonly string[];
  readonly keys: readonly string[];
  /** Whether there is whitespace between the tokens. */
  readonly spaced: boolean;
}

/** Returns how two JSON texts with the same data are written differently. */
export function jsonChanges(sentText: string, receivedText: string): Finding[] {
  const [sent, received] = [tokensOf(sentText), tokensOf(receivedText)];
  const found: Finding[] = [];
  const number = firstOther(sent.numbers, received.numbers, Number);
  if (number) found.push({ code: 'body_number_rewritten', data: number });
  if (spaces(sent) !== spaces(received)) found.push(...bare('body_spaces_changed'));
  if (sent.keys.join() !== received.keys.join()) found.push(...bare('body_keys_reordered'));
  const string = firstOther(sent.strings, received.strings, parseJson);
  if (string && received.text.includes('\\/') && !sent.text.includes('\\/')) found.push(...bare('body_slashes_escaped'));
  const other = firstOther(sent.strings, received.strings.map(withPlainSlashes), parseJson);
  if (other) found.push({ code: 'body_characters_escaped', data: other });
  return found;
}

/**
 * Returns the first JSON token that was received in another notation than it was sent, for example `5000.0` instead of `5000`. Parses each
 * token once, because both lists come from the caller and may be long.
 */
function firstOther(
  sent: readonly string[],
  received: readonly string[],
  parse: (token: string) => unknown,
): { sent: string; received: string } | null {
  const notations = new Set(sent);
  // Of several tokens with the same value, the map keeps the first.
  const byValue = new Map(sent.map((token) => [parse(token), token] as const).reverse());
  for (const token of received) {
    if (notations.has(token)) continue;
    const original = byValue.get(parse(token));
    if (original !== undefined) return { sent: short(original), received: short(token) };
  }
  return null;
}

function tokensOf(text: string): Tokens {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[a-z]+|[{}[\]:,]/g) ?? [];
  return {
    text,
    strings: tokens.filter((token) => token.startsWith('"')),
    numbers: tokens.filter((token) => /^[-\d]/.test(token)),
    keys: tokens.filter((_, index) => tokens[index + 1] === ':').map((key) => String(parseJson(key))),
    spaced: tokens.join('').length < text.length,
  };
}

function spaces({ text, spaced }: Tokens): string {
  return spaced ? (text.includes('\n') ? 'lines' : 'spaces') : 'none';
}

function withPlainSlashes(token: string): string {
  return token.replaceAll('\\/', '/');
}

function short(token: string): string {
  return token.length > SHOWN ? `${token.slice(0, SHOWN)}…` : token;
}
