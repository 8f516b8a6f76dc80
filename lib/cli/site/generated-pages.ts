import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COUNTER_ROUTES } from '@/app/api/v2/counter-routes';
import { API_ROUTES } from '@/app/api/v3/api-routes';
import { retriesText } from '@/lib/cli/docs/docs-tables';
import { ERRORS } from '@/lib/entry/http/errors';
import { openApiDocument } from '@/lib/entry/openapi/document';
import type { ApiReference, ErrorTexts } from '@/lib/entry/openapi/reference';
import { renderReference } from '@/lib/entry/openapi/reference';
import type { OpenApiDocument } from '@/lib/entry/openapi/types';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';
import { readSettings } from '@/lib/platform/config/settings';
import { readVersion } from '@/lib/platform/config/version';
import { SECOND_MS } from '@/lib/platform/core/clock';
import { isFailureCode } from '@/lib/platform/core/failure';
import type { Locale } from '@/lib/platform/i18n/locale';
import { BEHAVIOURS, BY_DIGITS } from '@/lib/providers/sandbox/outcomes';
import { SCENARIO_NAMES } from '@/lib/providers/scenarios/scenarios';
import { SWAHILI_LINES } from './swahili-lines';

/** The words before the cause and the solution of each error. */
const WORDS: Readonly<Record<Locale, readonly [cause: string, solution: string]>> = {
  en: ['Cause', 'Solution'],
  sw: ['Sababu', 'Suluhisho'],
};

/** A section about an error: its code, its first paragraph and its second paragraph. */
const SECTION = /^### `(\w+)`\n\n(.*)\n\n(.*)$/gm;

/**
 * Adds the status and the message of each error to its section, whose heading is the code.
 * @throws if a code has no section, a section has no code, or a section lacks the cause or the solution
 */
export function withErrors(markdown: string, locale: Locale): string {
  const [cause, solution] = WORDS[locale];
  const described = new Set<string>();
  const text = markdown.replace(SECTION, (_, code: string, first: string, second: string) => {
    if (!isFailureCode(code)) throw new Error(`the page about errors describes ${code}, which does not exist`);
    if (!first.startsWith(`**${cause}:** `) || !second.startsWith(`**${solution}:** `)) {
      throw new Error(`the section about ${code} needs a paragraph "**${cause}:** …" and a paragraph "**${solution}:** …"`);
    }
    described.add(code);
    const { status, message } = ERRORS[code];
    return `### \`${code}\`\n\n\`${status}\` \`${message.replace('{}', '…')}\`\n\n${first}\n\n${second}`;
  });
  const missing = Object.keys(ERRORS).filter((code) => !described.has(code));
  if (missing.length > 0) throw new Error(`the page about errors (${locale}) does not describe ${missing.join(', ')}`);
  return text;
}

/** Returns the causes of errors by code, as the page about errors describes them. */
function errorCauses(locale: Locale): ReadonlyMap<string, string> {
  const markdown = readFileSync(join(PROJECT_ROOT, 'docs', 'site', locale, 'errors.md'), 'utf8');
  const [cause] = WORDS[locale];
  return new Map([...markdown.matchAll(SECTION)].map(([, code = '', first = '']) => [code, first.replace(`**${cause}:** `, '')]));
}

const addressOf = (code: string) => `errors.md#${code}`;

/**
 * Renders the API reference. It contains the default base addresses, which the web process replaces by its own.
 * @throws if a line of the API description has no translation, or a translation belongs to no line
 */
export function apiReference(locale: Locale): ApiReference {
  const settings = readSettings({});
  if (!settings.ok) throw new Error(settings.error.join('\n'));
  const document = openApiDocument({ routes: [...API_ROUTES, ...COUNTER_ROUTES], settings: settings.value, version: readVersion() });
  return locale === 'en'
    ? renderReference(document, { errors: { addressOf } })
    : swahiliReference(document, SWAHILI_LINES, errorCauses(locale));
}

const REFERENCE = '<!-- reference -->';

/** Puts the overview of the API reference into its page. */
export function withReference(markdown: string, { overview }: ApiReference): string {
  if (!markdown.includes(REFERENCE)) throw new Error(`the page of the reference needs a line ${REFERENCE}`);
  return markdown.replace(REFERENCE, () => overview.trimEnd());
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
): ApiReference {
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
  if (problems.length > 0) throw new Error(`lib/cli/site/swahili-lines.ts does not fit the API description:\n${problems.join('\n')}`);
  return reference;
}

const CHANGELOG = '<!-- changelog -->';

/** Puts the versions of CHANGELOG.md into the page, without links to files that only the repository has. */
export function withChangelog(markdown: string): string {
  const whole = readFileSync(join(PROJECT_ROOT, 'CHANGELOG.md'), 'utf8');
  const versions = whole.slice(whole.indexOf('\n## ') + 1);
  // Small headings such as "Added" repeat in each version, so their anchors would not be unique. They become bold text instead.
  const text = versions.replace(/^### (.*)$/gm, '**$1**').replace(/\[([^\]]*)\]\((?!https?:)[^)]*\)/g, '$1');
  if (!markdown.includes(CHANGELOG)) throw new Error(`the page of the changelog needs a line ${CHANGELOG}`);
  return markdown.replace(CHANGELOG, () => text.trimEnd());
}

const RETRIES = '<!-- retries -->';

/** Puts the paragraph about retries into the page about webhooks. */
export function withRetries(markdown: string, locale: Locale): string {
  if (!markdown.includes(RETRIES)) throw new Error(`the page about webhooks needs a line ${RETRIES}`);
  return markdown.replace(RETRIES, () => retriesText(locale).trimEnd());
}

const NUMBER_ROW = /^\| (\d{3}) \| `([\w-]+)` \| (.*) \|$/gm;
const SCENARIO_NAME = /^\| (?:\d{3}|–) \| `([\w-]+)` \|/gm;

/**
 * Checks the table of the page about the sandbox against the simulator. Each ending of a mobile number that selects a scenario must have a
 * row. The row must contain the name of the scenario, and each delay of the scenario that is a whole number of seconds. Each scenario must
 * have a row. Returns the page unchanged.
 * @throws if the table differs from the simulator
 */
export function checkNumbers(markdown: string): string {
  const rows = new Map([...markdown.matchAll(NUMBER_ROW)].map(([, number = '', scenario = '', text = '']) => [number, { scenario, text }]));
  const unknown = [...rows.keys()].filter((number) => !BY_DIGITS[number]);
  if (unknown.length > 0) throw new Error(`the page about the sandbox describes numbers that do not exist: ${unknown.join(', ')}`);
  for (const [number, scenario] of Object.entries(BY_DIGITS)) {
    const row = rows.get(number);
    if (row === undefined) throw new Error(`the page about the sandbox does not describe ${number}`);
    if (row.scenario !== scenario) throw new Error(`the page about the sandbox calls ${number} ${row.scenario}, not ${scenario}`);
    for (const { afterMs } of BEHAVIOURS[scenario].steps) {
      const seconds = afterMs / SECOND_MS;
      if (seconds >= 1 && Number.isInteger(seconds) && !new RegExp(`\\b${seconds}\\b`).test(row.text))
        throw new Error(`the page about the sandbox does not say that ${number} takes ${seconds} s`);
    }
  }
  const described = [...markdown.matchAll(SCENARIO_NAME)].map(([, name = '']) => name);
  const missing = SCENARIO_NAMES.filter((name) => !described.includes(name));
  if (missing.length > 0) throw new Error(`the page about the sandbox does not describe these scenarios: ${missing.join(', ')}`);
  return markdown;
}
