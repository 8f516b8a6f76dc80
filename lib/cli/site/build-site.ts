import { createHash } from 'node:crypto';
import { join, posix } from 'node:path';
import { build } from 'esbuild';
import { marked } from 'marked';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';
import type { Locale } from '@/lib/platform/i18n/locale';
import { messagesOf } from '@/lib/platform/i18n/translator';
import { renderMarkdown, slugOf } from './markdown';
import { notFoundHtml, pageHtml } from './page-html';
import { folderOf, isReference, markdownAddress, pageAddress, SLUGS } from './pages';
import { plainText, readSources, type Source } from './sources';

const LOCALES: readonly Locale[] = ['en', 'sw'];

/**
 * Builds the documentation for developers.
 * @throws if a page is missing in a language, an error code has no explanation, or a link leads to a page that does not exist
 * @returns the content of each file by its path below the folder of the site
 */
export async function buildSite(): Promise<ReadonlyMap<string, string>> {
  const [style, script, reference] = await Promise.all([
    minify('style/docs.css', 'css'),
    minify('script/docs.ts', 'js'),
    minify('script/reference.ts', 'js'),
  ]);
  const assets = { style: style.address, script: script.address, reference: reference.address };
  const site = new Map(
    [style, script, reference].map(({ address, content }): [string, string] => [address.replace('/docs/', ''), content]),
  );
  const all = LOCALES.map((locale) => ({ locale, sources: readSources(locale) }));
  for (const { locale, sources } of all) {
    const folder = folderOf(locale);
    for (const source of sources) {
      const texts = messagesOf(locale, 'Docs');
      const address = (href: string) => linkAddress(source, href);
      const rendered = renderMarkdown(source.markdown, {
        texts,
        address,
        reference: isReference(source.slug) ? source.requests : undefined,
      });
      site.set(`${folder}${source.slug}.html`, pageHtml({ source, sources, rendered, assets }));
      site.set(`${folder}${source.slug}.md`, source.markdown);
    }
    site.set(`${folder}search.json`, JSON.stringify(sources.flatMap(searchEntries)));
    site.set(`${folder}not-found.html`, notFoundHtml({ locale, sources, assets }));
  }
  site.set('llms.txt', llmsText(all.flatMap(({ sources }) => sources)));
  return site;
}

/** Returns the address of a link in a page. Links to other pages are names of Markdown files. @throws if there is no such page */
function linkAddress({ locale, slug }: Source, href: string): string {
  if (/^(https?:|mailto:|#|\/)/.test(href)) return href;
  const [file = '', anchor] = href.split('#');
  const target = posix.join(posix.dirname(slug), file.replace(/\.md$/, ''));
  if (!SLUGS.includes(target)) throw new Error(`the page ${slug} (${locale}) links to ${href}, which is no page`);
  return pageAddress(locale, target) + (anchor === undefined ? '' : `#${anchor}`);
}

const FOLDER = join(PROJECT_ROOT, 'lib', 'cli', 'site');

/** Returns a minified file and its address, which changes with the content, so that browsers may cache it. */
async function minify(entry: string, ending: string) {
  const { outputFiles } = await build({
    entryPoints: [join(FOLDER, entry)],
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2020',
    charset: 'utf8',
    write: false,
    outdir: FOLDER,
  });
  const content = outputFiles[0]?.text ?? '';
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 12);
  return { address: `/docs/assets/docs-${hash}.${ending}`, content };
}

/** Returns the content of `/llms.txt`: what the service is, and the Markdown of each page, for programs that read the documentation. */
function llmsText(sources: readonly Source[]): string {
  const list = (locale: Locale) =>
    sources
      .filter((source) => source.locale === locale)
      .map(({ slug, title, summary }) => `- [${title}](${markdownAddress(locale, slug)}): ${summary}`)
      .join('\n');
  return `# Bili

> Bili is a payment gateway for bills in Tanzania. A server creates a bill through an HTTP API. The customer approves a mobile-money prompt, or pays on the bill's web page. The server gets a signed webhook.

- Live API: http://localhost:3000/api/v3
- Sandbox API: http://localhost:3001/api/v3
- The body of an error has one member, \`error\`. The header \`Bili-Error\` has its code.

## Documentation

${list('en')}

## Kiswahili

${list('sw')}
`;
}

/** A section that the search can find: its address, the page's title, its heading (empty for the first section), and its text. */
type SearchEntry = readonly [address: string, page: string, heading: string, text: string];

/** Returns the sections of a page for the search. Blocks of code are left out. Code within a sentence, such as a name, is kept. */
function searchEntries({ locale, slug, title, markdown }: Source): SearchEntry[] {
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
