import { randomUUID } from 'node:crypto';
import type { ReactNode } from 'react';
import { PendingBar } from '@/components/dashboard/shell/pending-bar';
import { LanguageSwitch } from '@/components/dashboard/shell/preferences';
import { Contact } from '@/components/pay/contact';
import { Wordmark } from '@/components/ui/wordmark';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { webRuntime } from '@/lib/server/web-runtime';

/** A page that belongs to no merchant: one card between the header and the footer of all public pages. */
export function PlainPage({ locale, title, children }: { readonly locale: Locale; readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="mx-auto flex min-h-dvh max-w-md flex-col px-4 py-4 sm:py-12">
      <PendingBar mark={randomUUID()} />
      <header className="mb-4 flex items-center justify-between">
        {/* The home page is not rendered by Next.js, so it is opened as another document. */}
        <a href="/" className="inline-flex min-h-11 items-center rounded-md">
          <Wordmark />
        </a>
        {/* The text, not the padding of the button, ends where the card below ends. */}
        <div className="-mr-2">
          <LanguageSwitch locale={locale} full />
        </div>
      </header>
      <main className="grid gap-4 rounded-xl border border-line bg-surface p-5">
        <h1 className="text-title">{title}</h1>
        {children}
      </main>
      <PlainFooter locale={locale} />
    </div>
  );
}

/** Who operates this installation, how to reach them, and where to check a receipt. */
function PlainFooter({ locale }: { readonly locale: Locale }) {
  const t = translator(locale, 'Home');
  const { OPERATOR_NAME: name, OPERATOR_CONTACT: contact } = webRuntime().settings;
  return (
    <footer className="mt-4 grid gap-1 text-small text-muted [&_a]:text-brand [&_a]:underline [&_a]:underline-offset-2">
      {name !== undefined && <p>{t('operator', { operator: name })}</p>}
      {contact !== undefined && (
        <p className="wrap-anywhere">
          {t('contact')} <Contact contact={contact} />
        </p>
      )}
      <p>
        <a href={`/verify?lang=${locale}`}>{translator(locale, 'Verify')('title')}</a>
      </p>
    </footer>
  );
}
