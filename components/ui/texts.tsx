'use client';

import type { ReactNode } from 'react';
import { IntlProvider } from 'use-intl/react';
import type { Locale } from '@/lib/i18n/locale';
import type { Messages } from '@/lib/i18n/messages';

interface TextsProps {
  readonly locale: Locale;
  readonly messages: Partial<Messages>;
  readonly children: ReactNode;
}

/** Provides client components with the messages of the namespaces that the page has chosen. */
export function Texts({ locale, messages, children }: TextsProps) {
  return (
    <IntlProvider locale={locale} messages={messages} timeZone="Africa/Dar_es_Salaam">
      {children}
    </IntlProvider>
  );
}
