import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiReference } from '@/lib/entry/openapi/reference';
import type { ExampleRequest } from '@/lib/entry/openapi/samples';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';
import type { Locale } from '@/lib/platform/i18n/locale';
import { apiReference, checkNumbers, withChangelog, withErrors, withReference, withRetries } from './generated-pages';
import { isGroup, SLUGS } from './pages';

const SITE = join(PROJECT_ROOT, 'docs', 'site');

/** The languages of the samples, in the order of their tabs, by the end of the file's name. */
const TABS: Readonly<Record<string, readonly [language: string, label: string]>> = {
  sh: ['sh', 'curl'],
  php: ['php', 'PHP'],
  py: ['python', 'Python'],
  mjs: ['js', 'Node'],
  java: ['java', 'Java'],
};

/** A paragraph that is only a link to a folder of samples. The page shows the samples instead, as tabs. */
const SAMPLES = /^\[[^\]]*\]\(\.\.\/samples\/([\w-]+)\)$/gm;

export interface Source {
  readonly locale: Locale;
  readonly slug: string;
  /** The whole Markdown of the page, with the samples and the generated parts. */
  readonly markdown: string;
  readonly title: string;
  /** The first paragraph, as plain text. */
  readonly summary: string;
  /** The example requests of the operations on the page, by their request line. */
  readonly requests: ReadonlyMap<string, ExampleRequest>;
}

/** Pages of which a part is generated or compared with the code. */
const GENERATED: Readonly<Record<string, (markdown: string, locale: Locale, reference: ApiReference) => string>> = {
  errors: withErrors,
  sandbox: checkNumbers,
  changelog: withChangelog,
  api: (markdown, _, reference) => withReference(markdown, reference),
  webhooks: withRetries,
};

/** Reads a page. @throws if it is missing in this language, or has no title or no first paragraph */
function readSource(locale: Locale, slug: string, reference: ApiReference): Source {
  const { markdown, requests } = reference.groups.find((group) => group.slug === slug) ?? readPage(locale, slug, reference);
  const [, title, summary] = /^# (.+)\n\n([^\n]+)\n/.exec(markdown) ?? [];
  if (!title || !summary) throw new Error(`the page ${slug} (${locale}) must begin with a title and a paragraph`);
  return { locale, slug, markdown, title, summary: plainText(summary), requests };
}

function readPage(locale: Locale, slug: string, reference: ApiReference): Pick<Source, 'markdown' | 'requests'> {
  const text = readFileSync(join(SITE, locale, `${slug}.md`), 'utf8').replace(SAMPLES, (_, name) => readSamples(name));
  return { markdown: GENERATED[slug]?.(text, locale, reference) ?? text, requests: new Map() };
}

/** Reads all pages of a language. @throws if a page is missing, or a file belongs to no page */
export function readSources(locale: Locale): Source[] {
  const files = readdirSync(join(SITE, locale)).map((name) => name.replace(/\.md$/, ''));
  const unknown = files.filter((name) => !SLUGS.includes(name) || isGroup(name));
  if (unknown.length > 0) throw new Error(`docs/site/${locale} has files that no page uses: ${unknown.join(', ')}`);
  const reference = apiReference(locale);
  return SLUGS.map((slug) => readSource(locale, slug, reference));
}

/** Returns Markdown as plain text, for summaries and the search. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\*\*|`/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Returns the samples of a folder as code blocks with labels, which become tabs. */
function readSamples(name: string): string {
  const folder = join(SITE, 'samples', name);
  const files = readdirSync(folder);
  const blocks = Object.entries(TABS).flatMap(([ending, [language, label]]) => {
    const file = files.find((one) => one.endsWith(`.${ending}`));
    return file ? [`\`\`\`${language} ${label}\n${readFileSync(join(folder, file), 'utf8').trimEnd()}\n\`\`\``] : [];
  });
  if (blocks.length !== files.length) throw new Error(`docs/site/samples/${name} has a file without a tab`);
  return blocks.join('\n\n');
}
