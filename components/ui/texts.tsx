'use client';

import format, { type FormatOptions } from 'icu-minify/format';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { Locale } from '@/lib/platform/i18n/locale';
import type { Messages } from '@/lib/platform/i18n/messages';
import type { PickedMessages } from '@/lib/platform/i18n/translator';

interface TextsProps {
  readonly locale: Locale;
  readonly messages: PickedMessages;
  readonly children: ReactNode;
}

const TextsContext = createContext<Omit<TextsProps, 'children'> | null>(null);

/** Provides client components with the messages of the namespaces that the page has chosen. */
export function Texts({ locale, messages, children }: TextsProps) {
  const texts = useMemo(() => ({ locale, messages }), [locale, messages]);
  return <TextsContext value={texts}>{children}</TextsContext>;
}

const OPTIONS: FormatOptions = {
  formatters: {
    getDateTimeFormat: (...how) => new Intl.DateTimeFormat(...how),
    getNumberFormat: (...how) => new Intl.NumberFormat(...how),
    getPluralRules: (...how) => new Intl.PluralRules(...how),
  },
  timeZone: 'Africa/Dar_es_Salaam',
};

type Translate<Namespace extends keyof Messages> = (
  key: keyof Messages[Namespace] & string,
  values?: Readonly<Record<string, string | number | Date>>,
) => string;

/**
 * Returns a function that gives the texts of a namespace, with their placeholders filled in. The page must have chosen the namespace. The
 * messages are parsed on the server: the parser of use-intl would be a tenth of what a page loads.
 */
export function useTranslations<Namespace extends keyof Messages>(namespace: Namespace): Translate<Namespace> {
  const { locale, messages } = useTexts();
  return useMemo(() => {
    const texts = messages[namespace];
    return (key, values) => {
      const message = texts?.[key];
      // A page that has not chosen the namespace shows the name of the text, and still works.
      if (message === undefined) return `${namespace}.${key}`;
      const text = format(message, locale, values, OPTIONS);
      return typeof text === 'string' ? text : text.join('');
    };
  }, [locale, messages, namespace]);
}

export function useLocale(): Locale {
  return useTexts().locale;
}

function useTexts() {
  const texts = useContext(TextsContext);
  if (!texts) throw new Error('the page has no texts for client components: put them into <Texts>');
  return texts;
}
