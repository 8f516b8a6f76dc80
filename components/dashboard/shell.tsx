import type { ReactNode } from 'react';
import { Nav } from '@/components/ui/nav';
import { Wordmark } from '@/components/ui/wordmark';
import { dashboardPath, type MerchantAccess } from '@/lib/accounts/grant-access';
import { type Locale, translator } from '@/lib/i18n/translator';
import { AccountMenu, MerchantMenu } from './account-menu';
import { EnvironmentBar } from './environment-bar';
import { LanguageSwitch } from './language-switch';
import { SECTIONS, type Section } from './section';
import { StatusNotice } from './status-notice';

interface ShellProps {
  readonly access: MerchantAccess;
  readonly locale: Locale;
  readonly section: Section;
  readonly csrf: string | null;
  readonly children: ReactNode;
}

/** What stands around every page of a merchant. Each page renders it with its own access: no layout decides who sees what. */
export function Shell({ access, locale, section, csrf, children }: ShellProps) {
  const t = translator(locale, 'Dashboard');
  const { slug } = access.merchant;
  const { environment } = access.scope;
  return (
    <>
      <a href="#content" className="sr-only bg-white p-3 font-semibold text-brand focus:not-sr-only focus:absolute focus:z-20">
        {t('skip')}
      </a>
      <header className="relative bg-white">
        <div className="mx-auto flex max-w-6xl flex-wrap items-center justify-between gap-x-4 px-4 pt-2">
          <div className="flex min-w-0 items-center gap-3">
            <Wordmark />
            <MerchantMenu access={access} section={section} locale={locale} />
          </div>
          <div className="ml-auto flex items-center gap-2">
            <LanguageSwitch locale={locale} />
            <AccountMenu access={access} locale={locale} csrf={csrf} />
          </div>
        </div>
        <div className="mx-auto max-w-6xl px-2">
          <Nav
            look="tabs"
            label={t('navigation')}
            items={SECTIONS.map((page) => ({ href: dashboardPath({ slug, environment, page }), text: t(page), current: page === section }))}
          />
        </div>
        <EnvironmentBar slug={slug} environment={environment} section={section} locale={locale} />
      </header>
      <main id="content" tabIndex={-1} className="mx-auto grid max-w-6xl grid-cols-[minmax(0,1fr)] gap-4 px-4 py-5 outline-none">
        <StatusNotice access={access} locale={locale} />
        {children}
      </main>
    </>
  );
}
