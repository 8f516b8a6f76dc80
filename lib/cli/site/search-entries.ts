import { marked } from 'marked';
import { slugOf } from './markdown';
import { pageAddress } from './pages';
import { plainText, type Source } from './sources';

/** A section that the search can find: its address, the page's title, its heading (empty for the first section), and its text. */
type SearchEntry = readonly [address: string, page: string, heading: string, text: string];

/** Returns the sections of a page for the search. Blocks of code are left out. Code within a sentence, such as a name, is kept. */
export function searchEntries({ locale, slug, title, markdown }: Source): SearchEntry[] {
  const entries: { id: string; heading: string; parts: string[] }[] = [{ id: '', heading: '', parts: [] }];
  for (const token of marked.lexer(markdown)) {
    if (token.type === 'heading' && token.depth > 1 && token.depth <= 3) {
      const heading = plainText(token.text);
      entries.push({ id: slugOf(heading), heading, parts: [] });
    } else if (token.type !== 'code' && token.type !== 'html' && token.type !== 'heading') {
      entries.at(-1)?.parts.push(plainText(token.raw.replace(/^[|>].*?---.*$/gm, '').replace(/[|>]/g, ' ')));
    }
  }
  const address = pageAddress(locale, slug);
  return entries.map(({ id, heading, parts }) => [id ? `${address}#${id}` : address, title, heading, parts.join(' ').trim()]);
}
