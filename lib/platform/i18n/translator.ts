import compile from 'icu-minify/compile';
import type { CompiledMessage } from 'icu-minify/format';
import { createTranslator } from 'use-intl/core';
import type { Locale } from './locale';
import { ENGLISH, type Messages, SWAHILI } from './messages';

const MESSAGES: Readonly<Record<Locale, Messages>> = { sw: SWAHILI, en: ENGLISH };

/** Returns a function that gives the texts of a namespace in a language, with their placeholders filled in. */
export function translator<Namespace extends keyof Messages>(locale: Locale, namespace: Namespace) {
  return createTranslator<Messages, Namespace>({ locale, messages: MESSAGES[locale], namespace });
}

/** Texts of some namespaces, parsed: what a browser needs to show them. */
export type PickedMessages = Partial<Record<keyof Messages, Readonly<Record<string, CompiledMessage>>>>;

const parsed = new Map<string, Readonly<Record<string, CompiledMessage>>>();

/** Returns the texts of some namespaces, for components that run in the browser. No page sends all texts. */
export function pickMessages(locale: Locale, namespaces: readonly (keyof Messages)[]): PickedMessages {
  return Object.fromEntries(namespaces.map((name) => [name, parseNamespace(locale, name)]));
}

function parseNamespace(locale: Locale, name: keyof Messages): Readonly<Record<string, CompiledMessage>> {
  const known = parsed.get(`${locale} ${name}`);
  if (known) return known;
  const texts: Readonly<Record<string, unknown>> = MESSAGES[locale][name];
  // `compile` makes objects without a prototype, which no page can send to the browser. Their copies have the usual prototype.
  const messages = Object.fromEntries(
    Object.entries(texts).flatMap(([key, text]) => (typeof text === 'string' ? [[key, structuredClone(compile(text))] as const] : [])),
  );
  parsed.set(`${locale} ${name}`, messages);
  return messages;
}

/** Returns the raw texts of a namespace, for texts without placeholders. */
export function messagesOf<Namespace extends keyof Messages>(locale: Locale, namespace: Namespace): Messages[Namespace] {
  return MESSAGES[locale][namespace];
}
