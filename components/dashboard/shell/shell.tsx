import { randomUUID } from 'node:crypto';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { Bell } from '@/components/dashboard/alerts/bell';
import { Help } from '@/components/dashboard/help/help';
import { SearchBox } from '@/components/dashboard/search/search-box';
import { Wordmark } from '@/components/ui/icon';
import { EmptyState, PageHeader } from '@/components/ui/layout';
import { Texts } from '@/components/ui/texts';
import { dashboardPath, type MerchantAccess, may } from '@/lib/identity/accounts/access/grant-access';
import { type Permission, ROLES, roleMay } from '@/lib/identity/accounts/permissions';
import type { Locale } from '@/lib/platform/i18n/locale';
import type { Messages } from '@/lib/platform/i18n/messages';
import { pickMessages, translator } from '@/lib/platform/i18n/translator';
import { AccountMenu, EnvironmentStrip, MerchantMenu, NewBillLink, PhoneBar, type Section, SectionNav } from './navigation';
import { NextPage } from './next-page';
import { HoldNotice, SecondFactorNotice, StatusNotice } from './notices';
import { LanguageSwitch } from './preferences';

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
      <a href="#content" className="sr-only bg-surface p-3 font-semibold text-brand focus:not-sr-only focus:absolute focus:z-50">
        {t('skip')}
      </a>
      <header className="bg-surface">
        <div className="relative mx-auto flex max-w-7xl flex-wrap items-center gap-x-1 gap-y-2 px-3 py-1 sm:gap-x-3 lg:flex-nowrap lg:px-6 lg:py-2">
          <Link
            href={dashboardPath({ slug, environment, page: may(access, 'overview.view') ? 'overview' : 'bills' })}
            prefetch={false}
            className="grid min-h-11 min-w-11 place-items-center rounded-lg px-1"
          >
            <Wordmark short />
          </Link>
          <div className="min-w-22 flex-1 lg:max-w-72 lg:min-w-0 lg:flex-none">
            <MerchantMenu access={access} section={section} locale={locale} />
          </div>
          <div className={`lg:mx-4 lg:flex-1 ${asked === undefined ? '' : 'max-lg:order-last max-lg:w-full'}`}>
            <SearchBox
              action={dashboardPath({ slug, environment, page: 'search' })}
              bills={dashboardPath({ slug, environment, page: 'bills' })}
              {...(asked !== undefined && { asked })}
            />
          </div>
          <div className="max-lg:hidden">
            <NewBillLink access={access} locale={locale} />
          </div>
          <Bell page={dashboardPath({ slug, environment, page: 'notifications' })} />
          <div className="flex items-center gap-x-3 max-lg:hidden">
            <LanguageSwitch locale={locale} />
            <AccountMenu access={access} locale={locale} />
          </div>
        </div>
        <EnvironmentStrip access={access} section={section} locale={locale} />
      </header>
      <PhoneBar access={access} section={section} locale={locale} />
      <div className="mx-auto flex max-w-7xl gap-6 px-3 py-5 max-lg:tall:pb-[calc(var(--phone-bar)+1.25rem)] sm:px-4 lg:px-6">
        <div className="hidden w-52 shrink-0 lg:block">
          <SectionNav access={access} section={section} locale={locale} />
        </div>
        <main
          id="content"
          tabIndex={-1}
          className="relative grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] content-start gap-4 outline-none"
        >
          <HoldNotice locale={locale} />
          <StatusNotice access={access} section={section} locale={locale} />
          <SecondFactorNotice access={access} section={section} locale={locale} />
          {children}
          <NextPage mark={randomUUID()} loading={translator(locale, 'Shell')('loading')} />
        </main>
      </div>
    </Texts>
  );
}

interface NotAllowedProps {
  readonly access: MerchantAccess;
  readonly permission: Permission;
  readonly locale: Locale;
}

/** Shown if the viewer's role may not open the page: the viewer's role, the roles that may, and who can change the viewer's role. */
export function NotAllowed({ access, permission, locale }: NotAllowedProps) {
  const shell = translator(locale, 'Shell');
  const t = translator(locale, 'NotAllowed');
  const roles = ROLES.filter((role) => roleMay(role, permission)).map((role) => t(`for_${role}`));
  const listed = new Intl.ListFormat(locale).format(roles);
  return (
    <Shell access={access} locale={locale} section={null}>
      <PageHeader help={<Help text={t('help')} docs="dashboard.md#roles" locale={locale} />} title={shell('notAllowedTitle')} />
      <EmptyState title={shell('notAllowed', { role: t(`you_${access.role}`) })} text={t('text', { roles: listed })} />
    </Shell>
  );
}
