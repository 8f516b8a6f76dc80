import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '@/lib/config/project-root';
import { isFailureCode } from '@/lib/core/failure';
import { ERRORS } from '@/lib/http/errors';
import type { Locale } from '@/lib/i18n/locale';

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
export function errorCauses(locale: Locale): ReadonlyMap<string, string> {
  const markdown = readFileSync(join(PROJECT_ROOT, 'docs', 'site', locale, 'errors.md'), 'utf8');
  const [cause] = WORDS[locale];
  return new Map([...markdown.matchAll(SECTION)].map(([, code = '', first = '']) => [code, first.replace(`**${cause}:** `, '')]));
}
