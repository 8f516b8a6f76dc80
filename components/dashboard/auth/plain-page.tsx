import { randomUUID } from 'node:crypto';
import type { ReactNode } from 'react';
import { PendingBar } from '@/components/dashboard/shell/pending-bar';
import { LanguageSwitch } from '@/components/dashboard/shell/preferences';
import { Wordmark } from '@/components/ui/wordmark';
import type { Locale } from '@/lib/i18n/translator';

/** A page that belongs to no merchant: one card under the logo. */
export function PlainPage({ locale, title, children }: { readonly locale: Locale; readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="mx-auto max-w-md px-4 py-6 sm:py-16">
      <PendingBar mark={randomUUID()} />
      <header className="mb-4 flex items-center justify-between">
        <Wordmark />
        <LanguageSwitch locale={locale} />
      </header>
      <main className="grid gap-4 rounded-xl border border-line bg-surface p-5">
        <h1 className="text-2xl font-bold">{title}</h1>
        {children}
      </main>
    </div>
  );
}
