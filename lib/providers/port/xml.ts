import { SaxesParser } from 'saxes';

/**
 * Reads a document whose root has only elements with text, such as `<COMMAND><TYPE>…</TYPE></COMMAND>`. Returns the texts by the names of
 * the elements, without the prefixes of namespaces; null if the document is not well-formed, has another root or deeper elements, or repeats an element.
 */
export function readFlatXml(text: string, root: string): Readonly<Record<string, string>> | null {
  const parser = new SaxesParser();
  const fields = new Map<string, string>();
  const path: string[] = [];
  let isFlat = true;
  parser.on('error', () => {
    isFlat = false;
  });
  // A DOCTYPE that only names a grammar changes nothing, because nobody reads the grammar. One with declarations could define entities.
  parser.on('doctype', (doctype) => {
    if (doctype.includes('[')) isFlat = false;
  });
  parser.on('opentag', ({ name: qualified }) => {
    const name = qualified.replace(/^[^:]*:/, '');
    path.push(name);
    if (path[0] !== root || path.length > 2 || (path.length === 2 && fields.has(name))) isFlat = false;
    if (path.length === 2) fields.set(name, '');
  });
  parser.on('closetag', () => {
    path.pop();
  });
  const addText = (part: string) => {
    const name = path[1];
    if (name !== undefined) fields.set(name, (fields.get(name) ?? '') + part);
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  // Some servers send an empty line before the declaration, where XML allows nothing.
  parser.write(text.trim()).close();
  return isFlat && fields.size > 0 ? Object.fromEntries([...fields].map(([name, value]) => [name, value.trim()])) : null;
}

/** Writes a document that `readFlatXml` can read. */
export function writeFlatXml(root: string, fields: Readonly<Record<string, string>>): string {
  const elements = Object.entries(fields).map(([name, value]) => `<${name}>${escapeText(value)}</${name}>`);
  return `<?xml version="1.0" encoding="UTF-8"?><${root}>${elements.join('')}</${root}>`;
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
