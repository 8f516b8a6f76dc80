import { createTranslator } from 'use-intl/core';
import { ENGLISH, type Messages, SWAHILI } from './messages';

export const LOCALES = ['sw', 'en'] as const;
export type Locale = (typeof LOCALES)[number];
const MESSAGES: Readonly<Record<Locale, Messages>> = { sw: SWAHILI, en: ENGLISH };

export function isLocale(text: string | null | undefined): text is Locale {
  return text === 'sw' || text === 'en';
}

/** Returns the chosen language, otherwise the first supported one of the browser, otherwise Swahili. */
export function chooseLocale(asked: string | null | undefined, acceptLanguage: string | null | undefined): Locale {
  if (isLocale(asked)) return asked;
  const wanted = (acceptLanguage ?? '')
    .split(',')
    .map((part, index) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
      const quality = Number(parameters.find((parameter) => parameter.trim().startsWith('q='))?.split('=')[1] ?? 1);
      return { language: tag.split('-')[0], quality: Number.isNaN(quality) ? 0 : quality, index };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality || a.index - b.index);
  return wanted.map(({ language }) => language).find(isLocale) ?? 'sw';
}

/** Returns a function that gives the texts of a namespace in a language, with their placeholders filled in. */
export function translator<Namespace extends keyof Messages>(locale: Locale, namespace: Namespace) {
  return createTranslator<Messages, Namespace>({ locale, messages: MESSAGES[locale], namespace });
}

/** Returns the texts of some namespaces, for components that run in the browser. No page sends all texts. */
export function pickMessages<Namespace extends keyof Messages>(locale: Locale, namespaces: readonly Namespace[]): Partial<Messages> {
  return Object.fromEntries(namespaces.map((name) => [name, MESSAGES[locale][name]]));
}

/** Returns the raw texts of a namespace, for texts without placeholders. */
export function messagesOf<Namespace extends keyof Messages>(locale: Locale, namespace: Namespace): Messages[Namespace] {
  return MESSAGES[locale][namespace];
}
