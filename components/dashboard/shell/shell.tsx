import { randomUUID } from 'node:crypto';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { Bell } from '@/components/dashboard/alerts/bell';
import { Drawer } from '@/components/ui/dialog';
import { Texts } from '@/components/ui/texts';
import { Wordmark } from '@/components/ui/wordmark';
import { dashboardPath, type MerchantAccess, may } from '@/lib/accounts/access/grant-access';
import type { Locale } from '@/lib/i18n/locale';
import type { Messages } from '@/lib/i18n/messages';
import { pickMessages, translator } from '@/lib/i18n/translator';
import { AccountMenu, EnvironmentBar, MerchantMenu, type Section, SectionNav } from './navigation';
import { SecondFactorNotice, StatusNotice } from './notices';
import { PendingBar } from './pending-bar';
import { LanguageSwitch } from './preferences';
import { SearchBox } from './search-box';

interface ShellProps {
  readonly access: MerchantAccess;
  readonly locale: Locale;
  /** Null on a page that is not in the navigation, for example the search results. */
  readonly section: Section | null;
  /** The message namespaces of the client components on the page. */
  readonly texts?: readonly (keyof Messages)[];
  readonly asked?: string;
  readonly children: ReactNode;
}

/** The frame of every page of a merchant. Each page renders it with its own access, so no layout decides what may be seen. */
export function Shell({ access, locale, section, texts = [], asked, children }: ShellProps) {
  const t = translator(locale, 'Dashboard');
  const { slug } = access.merchant;
  const { environment } = access.scope;
  return (
    <Texts locale={locale} messages={pickMessages(locale, ['Shell', 'Bell', 'SearchBox', ...texts])}>
      <PendingBar mark={randomUUID()} />
      <a href="#content" className="sr-only bg-surface p-3 font-semibold text-brand focus:not-sr-only focus:absolute focus:z-50">
        {t('skip')}
      </a>
      <header className="bg-surface">
        <div className="mx-auto flex max-w-7xl flex-wrap items-center gap-x-1 gap-y-2 px-3 py-2 sm:gap-x-3 lg:flex-nowrap lg:px-6">
          <div className="lg:hidden">
            <Drawer label={translator(locale, 'Shell')('menu')} close={translator(locale, 'Shell')('close')}>
              <SectionNav access={access} section={section} locale={locale} />
            </Drawer>
          </div>
          <Link
            href={dashboardPath({ slug, environment, page: may(access, 'overview.view') ? 'overview' : 'bills' })}
            prefetch={false}
            className="grid min-h-11 place-items-center rounded-lg px-1"
          >
            <Wordmark short />
          </Link>
          <div className="min-w-0 flex-1 lg:max-w-72 lg:flex-none">
            <MerchantMenu access={access} section={section ?? 'bills'} locale={locale} />
          </div>
          <div className="order-last w-full lg:order-none lg:mx-4 lg:w-auto lg:flex-1">
            <SearchBox
              action={dashboardPath({ slug, environment, page: 'search' })}
              bills={dashboardPath({ slug, environment, page: 'bills' })}
              {...(asked !== undefined && { asked })}
            />
          </div>
          <Bell page={dashboardPath({ slug, environment, page: 'notifications' })} />
          <LanguageSwitch locale={locale} />
          <AccountMenu access={access} locale={locale} />
        </div>
        <EnvironmentBar access={access} section={section ?? 'bills'} locale={locale} />
      </header>
      <div className="mx-auto flex max-w-7xl gap-6 px-3 py-5 sm:px-4 lg:px-6">
        <div className="hidden w-52 shrink-0 lg:block">
          <SectionNav access={access} section={section} locale={locale} />
        </div>
        <main id="content" tabIndex={-1} className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] content-start gap-4 outline-none">
          <StatusNotice access={access} locale={locale} />
          <SecondFactorNotice access={access} section={section} locale={locale} />
          {children}
        </main>
      </div>
    </Texts>
  );
}
