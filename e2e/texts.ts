import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTranslator } from 'use-intl/core';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';
import type { Locale } from '@/lib/platform/i18n/locale';
import type { Messages } from '@/lib/platform/i18n/messages';

/** Reads the texts of a language. Playwright cannot import the product's own list of them, because that list imports JSON files. */
function readTexts(locale: Locale): Messages {
  const folder = join(PROJECT_ROOT, 'lib/platform/i18n/messages', locale);
  return Object.assign({}, ...readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8'))));
}

/**
 * Returns a text of the product in English, as the pages show it: `text('Pay.payButton', { amount: 'TZS 5,000' })`. Tests find texts by
 * their keys, so that a changed wording breaks no test and a removed key is a type error.
 */
export const text = createTranslator<Messages>({ locale: 'en', messages: readTexts('en') });

/** Returns a text of the product in Swahili. */
export const swahili = createTranslator<Messages>({ locale: 'sw', messages: readTexts('sw') });

/** The key of a text, with its namespace. */
type TextKey = Parameters<typeof text>[0];

/** Matches a placeholder of a text, which may contain other placeholders, and a tag. */
const VARIABLE = /\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}|<\/?\w+>/g;

/** Returns a pattern of a text with some of its values. It matches any values of the other placeholders, and ignores case. */
export function pattern(key: TextKey, values: Readonly<Record<string, string>> = {}, language: typeof text = text): RegExp {
  const raw = String(language.raw(key)).replace(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);
  return new RegExp(raw.split(VARIABLE).map(escaped).join('.*?'), 'i');
}

/** Returns a pattern that matches each of some texts as a whole. */
export function either(...texts: readonly string[]): RegExp {
  return new RegExp(`^(${texts.map(escaped).join('|')})$`);
}

function escaped(literal: string): string {
  return literal.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replace(/[ \u00a0]/g, '\\s');
}
