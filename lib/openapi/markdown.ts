/** Returns the parts that are not empty, as paragraphs. */
export function paragraphs(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Returns a table of GitHub's Markdown; empty without rows. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

export function fence(language: 'json' | 'sh', code: string): string {
  return `\`\`\`${language}\n${code}\n\`\`\``;
}

export function codes(texts: readonly unknown[]): string {
  return texts.map((text) => `\`${String(text)}\``).join(', ');
}
