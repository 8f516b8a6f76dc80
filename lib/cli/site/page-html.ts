import { PAGE_ICON } from '@/components/pay/style';
import { FIRST_SCRIPT } from '@/lib/entry/docs/serve-docs';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { escapeHtml } from './escape';
import { keyForm } from './key-form';
import type { Heading, RenderedMarkdown } from './markdown';
import { GROUPS, isGroup, isReference, markdownAddress, pageAddress } from './pages';
import type { Source } from './sources';

interface Assets {
  readonly style: string;
  readonly script: string;
  /** The script of the API reference. */
  readonly reference: string;
}

interface PageOptions {
  readonly source: Source;
  /** All pages of this language, in the order of reading. */
  readonly sources: readonly Source[];
  readonly rendered: RenderedMarkdown;
  readonly assets: Assets;
}

export function pageHtml({ source, sources, rendered, assets }: PageOptions): string {
  const { locale, slug, title, summary } = source;
  const t = translator(locale, 'Docs');
  const at = sources.indexOf(source);
  const sections = rendered.headings.filter(({ depth }) => depth === 2 || (depth === 3 && isGroup(slug)));
  const contents = isGroup(slug) ? '' : contentsOf(locale, sections);
  // Without the replacer function, `$` in a text would be special.
  const html = isReference(slug) ? rendered.html.replace('</p>', (end) => end + keyForm(locale)) : rendered.html;
  const kind = slug === 'index' ? ' class="cards"' : isReference(slug) ? ' class="reference"' : '';
  const content = `${contents}<main id="content"><article${kind}>${html}</article>
<p class="source"><a href="${markdownAddress(locale, slug)}">${escapeHtml(t('markdown'))}</a></p>
${neighbours(locale, sources[at - 1], sources[at + 1])}</main>`;
  return frame({
    locale,
    slug,
    sources,
    sections,
    assets,
    title: slug === 'index' ? t('title') : `${title} · ${t('title')}`,
    summary,
    content,
  });
}

/** Returns the page for an address that does not exist. */
export function notFoundHtml({ locale, sources, assets }: Pick<PageOptions, 'sources' | 'assets'> & { readonly locale: Locale }): string {
  const t = translator(locale, 'Docs');
  const content = `<main id="content"><article><h1>${escapeHtml(t('notFound'))}</h1><p>${escapeHtml(t('notFoundText'))}</p><p><a href="${pageAddress(locale, 'index')}">${escapeHtml(t('contents'))}</a></p></article></main>`;
  return frame({
    locale,
    slug: '',
    sources,
    sections: [],
    assets,
    title: `${t('notFound')} · ${t('title')}`,
    summary: t('notFoundText'),
    content,
  });
}

interface FrameOptions extends Pick<PageOptions, 'sources' | 'assets'> {
  readonly locale: Locale;
  /** The name of the page. Empty on the page for addresses that do not exist. */
  readonly slug: string;
  readonly sections: readonly Heading[];
  readonly title: string;
  readonly summary: string;
  readonly content: string;
}

function frame({ locale, slug, sources, sections, assets, title, summary, content }: FrameOptions): string {
  const t = translator(locale, 'Docs');
  const other = locale === 'sw' ? 'en' : 'sw';
  const text = (value: string) => escapeHtml(value);
  const menu = navigation(locale, { slug, sources, sections });
  const switched = pageAddress(other, slug || 'index');
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="description" content="${text(summary)}">
<link rel="icon" href="${PAGE_ICON}">
<link rel="stylesheet" href="${assets.style}">
<link rel="alternate" hreflang="${other}" href="${switched}">
${slug && `<link rel="alternate" type="text/markdown" href="${markdownAddress(locale, slug)}">`}
<title>${text(title)} · Bili</title>
<script>${FIRST_SCRIPT}</script>
<script src="${assets.script}" defer></script>${isReference(slug) ? `<script src="${assets.reference}" defer></script>` : ''}
</head>
<body>
<a class="skip" href="#content">${text(t('skip'))}</a>
<header>
<a class="mine" href="/"><svg viewBox="0 0 20 24" width="18" height="22" aria-hidden="true"><path fill="currentColor" d="M1 1h18v22l-3-2.2-3 2.2-3-2.2-3 2.2-3-2.2-3 2.2z"/><path class="lines" d="M5 7.5h10M5 12h6"/></svg><b>Bili</b></a>
<a class="home" href="${pageAddress(locale, 'index')}">${text(t('title'))}</a>
<form class="search" role="search" data-index="${pageAddress(locale, 'search')}.json" data-none="${text(t('noResults'))}" data-found="${text(t('results'))}">
<label class="unseen" for="search">${text(t('searchHint'))}</label>
<input id="search" type="search" placeholder="${text(t('search'))}" autocomplete="off" spellcheck="false" aria-controls="results">
<kbd aria-hidden="true">/</kbd>
<div id="results" hidden><p role="status"></p><ol></ol></div>
</form>
<a class="lang" href="${switched}" lang="${other}" hreflang="${other}">${text(t('otherLanguage'))}</a>
<a class="in" href="/sign-in">${text(t('signIn'))}</a>
</header>
<details class="menu"><summary>${text(t('menu'))}</summary>${menu}</details>
<div class="columns${isGroup(slug) ? ' wide' : ''}">
<div class="side">${menu}</div>
${content}
</div>
<footer><p>${text(translator(locale, 'Pay')('aboutBili'))}</p><p><a href="/llms.txt">llms.txt</a></p></footer>
</body>
</html>
`;
}

/** Returns the list of all pages, with the sections of the current page. On wide screens, a separate column shows the sections instead. */
function navigation(locale: Locale, { slug, sources, sections }: Pick<FrameOptions, 'slug' | 'sources' | 'sections'>): string {
  const t = translator(locale, 'Docs');
  const groups = GROUPS.map(({ name, pages }) => {
    const links = sources
      .filter((source) => pages.some((page) => page === source.slug))
      .map((source) => {
        const current = source.slug === slug;
        const own = current && sections.length > 1 ? `<ul class="sub">${sectionLinks(sections)}</ul>` : '';
        const mark = current ? ' aria-current="page"' : '';
        return `<li${isGroup(source.slug) ? ' class="below"' : ''}><a href="${pageAddress(locale, source.slug)}"${mark}>${escapeHtml(nameOf(source))}</a>${own}</li>`;
      });
    return `<p>${escapeHtml(t(`groups.${name}`))}</p><ul>${links.join('')}</ul>`;
  });
  return `<nav aria-label="${escapeHtml(t('contents'))}">${groups.join('')}</nav>`;
}

/** Returns the links to the sections of a page. A page with one section needs none. */
function contentsOf(locale: Locale, sections: readonly Heading[]): string {
  if (sections.length < 2) return '';
  const title = escapeHtml(translator(locale, 'Docs')('onThisPage'));
  return `<nav class="sections" aria-label="${title}"><p>${title}</p><ul>${sectionLinks(sections)}</ul></nav>`;
}

/** Returns the links to the pages before and after a page. */
function neighbours(locale: Locale, before: Source | undefined, after: Source | undefined): string {
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
