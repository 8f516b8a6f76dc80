import { createTranslator } from 'use-intl/core';
import { ENGLISH, type Messages, SWAHILI } from './messages';

export const LOCALES = ['sw', 'en'] as const;
export type Locale = (typeof LOCALES)[number];
const MESSAGES: Readonly<Record<Locale, Messages>> = { sw: SWAHILI, en: ENGLISH };

export function isLocale(text: string | null | undefined): text is Locale {
  return text === 'sw' || text === 'en';
}

/** @returns the language asked for, else the first of the browser's that we speak, else Swahili. */
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

/** @returns the function that gives a namespace's texts in a language, with what they name filled in. */
export function translator<Namespace extends keyof Messages>(locale: Locale, namespace: Namespace) {
  return createTranslator<Messages, Namespace>({ locale, messages: MESSAGES[locale], namespace });
}

/** @returns the texts of a few namespaces, for components that run in the browser: no page sends all of them. */
export function pickMessages<Namespace extends keyof Messages>(locale: Locale, namespaces: readonly Namespace[]): Partial<Messages> {
  return Object.fromEntries(namespaces.map((name) => [name, MESSAGES[locale][name]]));
}

/** @returns the texts of one namespace as they are written: for those that name nothing to fill in. */
export function messagesOf<Namespace extends keyof Messages>(locale: Locale, namespace: Namespace): Messages[Namespace] {
  return MESSAGES[locale][namespace];
}
