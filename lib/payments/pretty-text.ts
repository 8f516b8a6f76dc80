const STEP = '  ';

/** @returns JSON on indented lines, or null for what is none. Its own tokens are kept: a parser would round long numbers. */
export function prettyJson(text: string): string | null {
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  let depth = 0;
  const line = () => `\n${STEP.repeat(depth)}`;
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  return tokens
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
}

/** @returns XML with each element on an indented line, or null for what is none. Nothing is resolved or loaded. */
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
      else lines.push(STEP.repeat(open.length) + content);
      inline = false;
    } else if (/^<[\w:]/.test(content)) {
      lines.push(STEP.repeat(open.length) + content);
      inline = !content.endsWith('/>');
      if (inline) open.push(/^<([^\s/>]+)/.exec(content)?.[1] ?? '');
    } else if (content.startsWith('<') || !inline) {
      lines.push(STEP.repeat(open.length) + content);
    } else {
      lines.push(`${lines.pop() ?? ''}${content}`);
    }
  }
  return open.length === 0 ? lines.join('\n') : null;
}
