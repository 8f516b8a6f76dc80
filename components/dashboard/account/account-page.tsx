import { randomUUID } from 'node:crypto';
import type { ReactNode } from 'react';
import { Help } from '@/components/dashboard/help/help';
import { LanguageSwitch } from '@/components/dashboard/shell/preferences';
import { SignOutForm } from '@/components/dashboard/shell/sign-out-form';
import { Wordmark } from '@/components/ui/icon';
import { PageHeader } from '@/components/ui/layout';
import { BackLink } from '@/components/ui/links';
import { Texts } from '@/components/ui/texts';
import type { AccountAccess } from '@/lib/identity/accounts/access/grant-account';
import type { Locale } from '@/lib/platform/i18n/locale';
import { pickMessages, translator } from '@/lib/platform/i18n/translator';
import { NextPage } from '../shell/next-page';

interface AccountPageProps {
  readonly account: AccountAccess;
  readonly locale: Locale;
  readonly title: string;
  readonly intro?: string;
  /** Whether the page is below the account page and has a link back to it. */
  readonly below?: boolean;
  readonly children: ReactNode;
}

/** The frame of the account pages. They belong to no merchant. */
export function AccountPage({ account, locale, title, intro, below = false, children }: AccountPageProps) {
  const t = translator(locale, 'Account');
  const back = below
    ? [{ href: '/account', text: t('toAccount') }]
    : account.merchants.map(({ name, path }) => ({ href: path, text: t('back', { merchant: name }) }));
  return (
    <Texts locale={locale} messages={pickMessages(locale, ['Shell', 'Account'])}>
      <NextPage mark={randomUUID()} />
      <a href="#content" className="sr-only bg-surface p-3 font-semibold text-brand focus:not-sr-only focus:absolute focus:z-50">
        {translator(locale, 'Dashboard')('skip')}
      </a>
      <header className="border-b border-line bg-surface print:hidden">
        <div className="mx-auto flex max-w-3xl flex-wrap items-center justify-between gap-3 px-4 py-2">
          <Wordmark />
          <div className="flex flex-wrap items-center gap-2">
            <LanguageSwitch locale={locale} />
            <SignOutForm locale={locale} look="plain" />
          </div>
        </div>
      </header>
      <main id="content" tabIndex={-1} className="mx-auto grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-4 px-4 py-4 outline-none">
        <nav aria-label={translator(locale, 'Dashboard')('navigation')} className="print:hidden">
          <ul className="flex flex-wrap gap-x-6">
            {(back.length > 0 ? back : [{ href: '/no-merchant', text: t('backNone') }]).map(({ href, text }) => (
              <li key={href} className="min-w-0">
                <BackLink href={href}>{text}</BackLink>
              </li>
            ))}
          </ul>
        </nav>
        <PageHeader
          help={<Help text={t('help')} docs="dashboard.md#signing-in" locale={locale} />}
          title={title}
          {...(intro !== undefined && { intro })}
        />
        {children}
      </main>
    </Texts>
  );
}
