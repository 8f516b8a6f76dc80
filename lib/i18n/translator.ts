import { createTranslator } from 'use-intl/core';
import type { Locale } from './locale';
import { ENGLISH, type Messages, SWAHILI } from './messages';

const MESSAGES: Readonly<Record<Locale, Messages>> = { sw: SWAHILI, en: ENGLISH };

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
