import type { ListedMessage } from './message-store';

/** The maximal number of bytes of a body that are shown. */
export const BODY_MAX = 16 * 1024;
const MASK = '•••';

const SECRET = /auth|token|secret|cookie|password|passwd|credential|signature|session|api[-_]?key|private[-_]?key|\bpin\b/i;

/** A provider message, formatted for people. Its texts come from outside and must not be trusted. */
export interface MessageView extends Omit<ListedMessage, 'headers' | 'body' | 'size'> {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  /** Whether only the beginning of the body is shown. */
  readonly cut: boolean;
}

/** Formats a message: indents JSON and XML, masks secrets, and removes control characters. */
export function viewMessage({ headers, body, size, ...message }: ListedMessage): MessageView {
  const text = new TextDecoder().decode(body);
  return {
    ...message,
    headers: Object.entries(headers).map(([name, value]) => [visible(name), SECRET.test(name) ? MASK : visible(maskTexts(String(value)))]),
    body: visible(maskTexts(prettyJson(text) ?? prettyXml(text) ?? text)).trim(),
    cut: size > body.length,
  };
}

/** Masks secrets anywhere in a text: in JSON members, XML elements, form fields, authorization headers and callback addresses. */
function maskTexts(text: string): string {
  return text
    .replace(/("([^"\\]{1,80})"\s*:\s*)(?:"(?:[^"\\]|\\.)*"|[^\s",{}[\]]+)/g, (all, start: string, name: string) =>
      SECRET.test(name) ? `${start}"${MASK}"` : all,
    )
    .replace(/(<([\w:.-]{1,80})[^<>]*>)[^<>]+(?=<\/)/g, (all, start: string, name: string) => (SECRET.test(name) ? start + MASK : all))
    .replace(/([?&]|^)([\w.-]{1,80})=[^&\s"'<>]+/g, (all, start: string, name: string) =>
      SECRET.test(name) ? `${start}${name}=${MASK}` : all,
    )
    .replace(/\b(Bearer|Basic|ApiKey)\s+[^\s"'<>,]+/gi, `$1 ${MASK}`)
    .replace(/(\/callbacks\/[\w-]+\/)[^\s"'<>/?#\\]+/g, `$1${MASK}`);
}

/** Removes control characters, and characters that change the direction of the text around them. */
function visible(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, '').replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');
}

const STEP = '  ';
/** Deeper levels are not indented further, because 16 kB of brackets would become 128 MB. */
const DEPTH_MAX = 20;
/** A result with more characters is harder to read than the original text. */
const OUTPUT_MAX = 64 * 1024;

const indent = (depth: number) => STEP.repeat(Math.min(depth, DEPTH_MAX));
const bounded = (text: string) => (text.length > OUTPUT_MAX ? null : text);

/** Indents JSON. Returns null if it is invalid or the result is too long. Tokens are copied, because a parser would round long numbers. */
export function prettyJson(text: string): string | null {
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  let depth = 0;
  const line = () => `\n${indent(depth)}`;
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  const lines = tokens
    .map((token, index) => {
      const next = tokens[index + 1] ?? '';
      switch (token) {
        case '{':
        case '[':
          depth += 1;
          return next === '}' || next === ']' ? token : token + line();
        case '}':
        case ']': {
          depth -= 1;
          const before = tokens[index - 1] ?? '';
          return before === '{' || before === '[' ? token : line() + token;
        }
        case ',':
          return token + line();
        case ':':
          return ': ';
        default:
          return token;
      }
    })
    .join('');
  return bounded(lines);
}

/** Indents XML, one element per line. Returns null if it is invalid or the result is too long. No entity is resolved or loaded. */
export function prettyXml(text: string): string | null {
  const tokens = text.trim().match(/<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<[^<>]+>|[^<>]+/g) ?? [];
  if (tokens.join('') !== text.trim() || !/^<[?\w]/.test(tokens[0] ?? '')) return null;
  const open: string[] = [];
  const lines: string[] = [];
  let inline = false;
  for (const token of tokens) {
    const content = token.trim();
    if (content === '') continue;
    if (/^<\//.test(content)) {
      if (open.pop() !== content.slice(2, -1).trim()) return null;
      if (inline) lines.push(`${lines.pop() ?? ''}${content}`);
      else lines.push(indent(open.length) + content);
      inline = false;
    } else if (/^<[\w:]/.test(content)) {
      lines.push(indent(open.length) + content);
      inline = !content.endsWith('/>');
      if (inline) open.push(/^<([^\s/>]+)/.exec(content)?.[1] ?? '');
    } else if (content.startsWith('<') || !inline) {
      lines.push(indent(open.length) + content);
    } else {
      lines.push(`${lines.pop() ?? ''}${content}`);
    }
  }
  return open.length === 0 ? bounded(lines.join('\n')) : null;
}
