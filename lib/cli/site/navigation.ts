import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { escapeHtml } from './escape';
import type { Heading } from './markdown';
import { GROUPS, pageAddress } from './pages';
import type { Source } from './sources';

interface NavigationOptions {
  /** The name of the current page. Empty on the page for addresses that do not exist. */
  readonly slug: string;
  readonly sources: readonly Source[];
  /** The sections of the current page. */
  readonly sections: readonly Heading[];
}

/** Returns the list of all pages, with the sections of the current page. On wide screens, a separate column shows the sections instead. */
export function navigation(locale: Locale, { slug, sources, sections }: NavigationOptions): string {
  const t = translator(locale, 'Docs');
  const groups = GROUPS.map(({ name, pages }) => {
    const links = sources
      .filter((source) => pages.some((page) => page === source.slug))
      .map((source) => {
        const current = source.slug === slug;
        const own = current && sections.length > 1 ? `<ul class="sub">${sectionLinks(sections)}</ul>` : '';
        const mark = current ? ' aria-current="page"' : '';
        return `<li><a href="${pageAddress(locale, source.slug)}"${mark}>${escapeHtml(nameOf(source))}</a>${own}</li>`;
      });
    return `<p>${escapeHtml(t(`groups.${name}`))}</p><ul>${links.join('')}</ul>`;
  });
  return `<nav aria-label="${escapeHtml(t('contents'))}">${groups.join('')}</nav>`;
}

/** Returns the links to the sections of a page. A page with one section needs none. */
export function contentsOf(locale: Locale, sections: readonly Heading[]): string {
  if (sections.length < 2) return '';
  const title = escapeHtml(translator(locale, 'Docs')('onThisPage'));
  return `<nav class="sections" aria-label="${title}"><p>${title}</p><ul>${sectionLinks(sections)}</ul></nav>`;
}

/** Returns the links to the pages before and after a page. */
export function neighbours(locale: Locale, before: Source | undefined, after: Source | undefined): string {
  const t = translator(locale, 'Docs');
  const link = (source: Source, label: string, rel: string) =>
    `<a rel="${rel}" href="${pageAddress(locale, source.slug)}"><small>${escapeHtml(label)}</small> ${escapeHtml(nameOf(source))}</a>`;
  return `<nav class="neighbours" aria-label="${escapeHtml(t('neighbours'))}">${before ? link(before, t('previous'), 'prev') : ''}${after ? link(after, t('next'), 'next') : ''}</nav>`;
}

function sectionLinks(sections: readonly Heading[]): string {
  return sections
    .map(({ depth, id, text }) => `<li${depth > 2 ? ' class="deep"' : ''}><a href="#${id}">${escapeHtml(text)}</a></li>`)
    .join('');
}

/** Returns the name of a page in lists: its title, except for the first page, whose title is a sentence. */
function nameOf({ locale, slug, title }: Source): string {
  return slug === 'index' ? translator(locale, 'Docs')('overview') : title;
}
