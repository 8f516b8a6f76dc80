/** A text, a bracket or sign, or anything else that is not space. A text that was cut off counts as something else. */
const PART = /"(?:[^"\\]|\\.)*"|[{}[\],:]|(?:[^\s{}[\],:"]|")+/g;

/** Indents JSON and keeps its numbers as they are: Bili writes 5000.0, which `JSON.stringify` would write as 5000. */
export function indentJson(json: string): string {
  let text = '';
  let depth = 0;
  let open = false;
  const line = () => `\n${'  '.repeat(depth)}`;
  for (const [part] of json.matchAll(PART)) {
    const closes = part === '}' || part === ']';
    if (closes) depth -= 1;
    // A bracket that closes at once stays in its line.
    if (closes !== open) text += line();
    open = part === '{' || part === '[';
    if (open) depth += 1;
    text += part === ':' ? ': ' : part;
    if (part === ',') text += line();
  }
  return text;
}
