import { API_ROUTES } from '@/app/api-routes';
import { readSettings } from '@/lib/config/settings';
import { readVersion } from '@/lib/config/version';
import type { Locale } from '@/lib/i18n/locale';
import { openApiDocument } from '@/lib/openapi/document';
import { renderReference } from '@/lib/openapi/reference';
import type { ErrorTexts } from '@/lib/openapi/reference-errors';
import type { OpenApiDocument } from '@/lib/openapi/types';
import { errorCauses } from './errors-page';
import { SWAHILI_LINES } from './swahili/swahili-reference';

const PLACE = '<!-- reference -->';
const addressOf = (code: string) => `errors.md#${code}`;

/**
 * Puts the API reference into the page. The reference contains the default base addresses, which the web process replaces by its own.
 * @throws if a line of the API description has no translation, or a translation belongs to no line
 */
export function withReference(markdown: string, locale: Locale): string {
  const settings = readSettings({});
  if (!settings.ok) throw new Error(settings.error.join('\n'));
  const routes = API_ROUTES.map(({ route }) => route);
  const document = openApiDocument({ routes, settings: settings.value, version: readVersion() });
  const sections =
    locale === 'en' ? renderReference(document, { errors: { addressOf } }) : swahiliReference(document, SWAHILI_LINES, errorCauses(locale));
  if (!markdown.includes(PLACE)) throw new Error(`the page of the reference needs a line ${PLACE}`);
  return markdown.replace(PLACE, () => sections.trimEnd());
}

/**
 * Renders the API reference in Swahili. Error messages stay English, because the API sends them in English. The Swahili text about the
 * cause of an error explains its message.
 * @param lines the lines of the API description in Swahili, by their English text
 * @param causes the causes of errors in Swahili, by code
 */
export function swahiliReference(
  document: OpenApiDocument,
  lines: Readonly<Record<string, string>>,
  causes: ReadonlyMap<string, string>,
): string {
  const used = new Set<string>();
  const missing = new Set<string>();
  const translateLine = (english: string) => {
    const swahili = lines[english];
    (swahili === undefined ? missing : used).add(english);
    return swahili ?? english;
  };
  const errors: ErrorTexts = { addressOf, causeOf: (code) => causes.get(code) ?? '' };
  const reference = renderReference(document, { language: { locale: 'sw', translateLine }, errors });
  const unused = Object.keys(lines).filter((english) => !used.has(english));
  const problems = [
    ...[...missing].map((english) => `no translation of: ${english}`),
    ...unused.map((english) => `a translation that nothing uses: ${english}`),
  ];
  if (problems.length > 0) throw new Error(`lib/cli/site/swahili does not fit the API description:\n${problems.join('\n')}`);
  return reference;
}
