import { PAGE_ICON } from '@/components/pay/page-icon';
import { FIRST_SCRIPT } from '@/lib/docs/serve-docs';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { escapeHtml } from './escape';
import type { Heading, RenderedMarkdown } from './markdown';
import { contentsOf, navigation, neighbours } from './navigation';
import { markdownAddress, pageAddress } from './pages';
import type { Source } from './sources';

interface Assets {
  readonly style: string;
  readonly script: string;
}

interface PageOptions {
  readonly source: Source;
  /** All pages of this language, in the order of reading. */
  readonly sources: readonly Source[];
  readonly rendered: RenderedMarkdown;
  readonly assets: Assets;
}

/** Returns a page of the documentation as HTML. */
export function pageHtml({ source, sources, rendered, assets }: PageOptions): string {
  const { locale, slug, title, summary } = source;
  const t = translator(locale, 'Docs');
  const at = sources.indexOf(source);
  const sections = rendered.headings.filter(({ depth }) => depth === 2 || (depth === 3 && slug === 'api'));
  const content = `${contentsOf(locale, sections)}<main id="content"><article${slug === 'index' ? ' class="cards"' : ''}>${rendered.html}</article>
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

interface FrameOptions {
  readonly locale: Locale;
  readonly slug: string;
  readonly sources: readonly Source[];
  readonly sections: readonly Heading[];
  readonly assets: Assets;
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
<script src="${assets.script}" defer></script>
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
<div class="columns">
<div class="side">${menu}</div>
${content}
</div>
<footer><p>${text(translator(locale, 'Pay')('aboutBili'))}</p><p><a href="/llms.txt">llms.txt</a></p></footer>
</body>
</html>
`;
}
