'use client';

import type { ReactNode } from 'react';
import { IntlProvider } from 'use-intl/react';
import type { Messages } from '@/lib/i18n/messages';
import type { Locale } from '@/lib/i18n/translator';

interface TextsProps {
  readonly locale: Locale;
  readonly messages: Partial<Messages>;
  readonly children: ReactNode;
}

/** Gives the components that run in the browser their texts: those of the namespaces that the page picked. */
export function Texts({ locale, messages, children }: TextsProps) {
  return (
    <IntlProvider locale={locale} messages={messages} timeZone="Africa/Dar_es_Salaam">
      {children}
    </IntlProvider>
  );
}
