import type { Locale } from '@/lib/i18n/locale';
import { messagesOf } from '@/lib/i18n/translator';
import { buildAssets } from './assets';
import { llmsText } from './llms';
import { renderMarkdown } from './markdown';
import { notFoundHtml, pageHtml } from './page-html';
import { folderOf, pageAddress, SLUGS } from './pages';
import { searchEntries } from './search-entries';
import { readSources, type Source } from './sources';

const LOCALES: readonly Locale[] = ['en', 'sw'];

/**
 * Builds the documentation for developers.
 * @throws if a page is missing in a language, an error code has no explanation, or a link leads to a page that does not exist
 * @returns the content of each file by its path below the folder of the site
 */
export async function buildSite(): Promise<ReadonlyMap<string, string>> {
  const { style, script } = await buildAssets();
  const assets = { style: style.address, script: script.address };
  const site = new Map([style, script].map(({ address, content }): [string, string] => [address.replace('/docs/', ''), content]));
  const all = LOCALES.map((locale) => ({ locale, sources: readSources(locale) }));
  for (const { locale, sources } of all) {
    const folder = folderOf(locale);
    for (const source of sources) {
      const texts = messagesOf(locale, 'Docs');
      const rendered = renderMarkdown(source.markdown, { texts, address: (href) => linkAddress(source, href) });
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
  const target = file.replace(/\.md$/, '');
  if (!SLUGS.includes(target)) throw new Error(`the page ${slug} (${locale}) links to ${href}, which is no page`);
  return pageAddress(locale, target) + (anchor === undefined ? '' : `#${anchor}`);
}
