import Link from 'next/link';
import { Icon, type IconName } from '@/components/ui/icon';
import { Menu, MenuLine, MenuLink, MenuNote } from '@/components/ui/menu';
import { dashboardPath, type MerchantAccess, may } from '@/lib/accounts/access/grant-access';
import type { Permission } from '@/lib/accounts/permissions';
import { ENVIRONMENTS } from '@/lib/core/scope';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { ThemeChoice } from './preferences';
import { SignOutForm } from './sign-out-form';

/** Links to the pages that the viewer may open. */
export function SectionNav({ access, section, locale }: { access: MerchantAccess; section: Section | null; locale: Locale }) {
  const t = translator(locale, 'Shell');
  const { slug } = access.merchant;
  const { environment } = access.scope;
  return (
    <nav aria-label={translator(locale, 'Dashboard')('navigation')}>
      <ul className="grid gap-1">
        {SECTIONS.filter(({ permission }) => may(access, permission)).map(({ section: page, icon }) => (
          <li key={page}>
            <Link
              href={dashboardPath({ slug, environment, page })}
              prefetch={false}
              aria-current={page === section ? 'page' : undefined}
              className="flex min-h-control items-center gap-2.5 rounded-lg px-2.5 font-semibold hover:bg-sunken lg:whitespace-nowrap aria-[current]:bg-brand-soft aria-[current]:text-brand"
            >
              <Icon name={icon} className="size-5" />
              {t(page)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The pages of a merchant's environment in the order of the navigation, with the permission that each requires. */
const SECTIONS = [
  { section: 'overview', icon: 'gauge', permission: 'overview.view' },
  { section: 'counter', icon: 'keypad', permission: 'counter.use' },
  { section: 'bills', icon: 'document', permission: 'bills.view' },
  { section: 'webhooks', icon: 'send', permission: 'webhooks.view' },
  { section: 'keys', icon: 'key', permission: 'keys.view' },
  { section: 'team', icon: 'people', permission: 'team.view' },
  { section: 'settings', icon: 'sliders', permission: 'settings.view' },
  { section: 'audit', icon: 'list', permission: 'audit.view' },
] as const satisfies readonly { readonly section: string; readonly icon: IconName; readonly permission: Permission }[];

export type Section = (typeof SECTIONS)[number]['section'];

// The bar of the sandbox has a dashed border, so that people can recognize it without seeing colours.
const GROUNDS = {
  live: 'bg-brand text-on-brand',
  sandbox: 'bg-amber-soft text-ink border-y-2 border-dashed border-amber',
} as const;

/**
 * Shows the current environment, with a link to the same page of the other environment. Cashiers have access to one environment only, so
 * they get no link.
 */
export function EnvironmentBar({ access, section, locale }: MenuProps) {
  const t = translator(locale, 'Dashboard');
  const { slug } = access.merchant;
  const { environment } = access.scope;
  return (
    <div className={GROUNDS[environment]}>
      <div className="mx-auto flex max-w-7xl flex-wrap items-center justify-between gap-x-1 gap-y-1 px-4 py-1.5 sm:gap-x-4 lg:px-6">
        <p className="flex items-center gap-2 text-sm">
          <Icon name={environment === 'live' ? 'coin' : 'flask'} className="size-5" />
          <span>
            <strong className="tracking-wide uppercase">{t(environment)}</strong>
            <span className="sr-only sm:not-sr-only">
              {' · '}
              {t(`${environment}Note`)}
            </span>
          </span>
        </p>
        {access.billsOf === null && (
          <div className="flex items-center gap-x-1 sm:gap-x-4">
            {environment === 'sandbox' && may(access, 'bills.create') && (
              <Link
                href={dashboardPath({ slug, environment, page: 'phones' })}
                prefetch={false}
                className="flex min-h-6 min-w-6 items-center justify-center gap-1.5 text-sm font-semibold underline underline-offset-4"
              >
                <Icon name="phone" className="size-4" />
                <span className="max-sm:sr-only">{translator(locale, 'SandboxTime')('page')}</span>
              </Link>
            )}
            <nav aria-label={t('environment')} className="flex rounded-lg border border-current text-sm font-semibold">
              {ENVIRONMENTS.map((other) => (
                <Link
                  key={other}
                  href={dashboardPath({ slug, environment: other, page: section })}
                  prefetch={false}
                  aria-current={other === environment ? 'true' : undefined}
                  className="flex items-center gap-1 px-2 py-1.5 sm:px-3 aria-[current]:underline aria-[current]:decoration-2 aria-[current]:underline-offset-4"
                >
                  {other === environment && <Icon name="check" />}
                  {t(other)}
                </Link>
              ))}
            </nav>
          </div>
        )}
      </div>
    </div>
  );
}

interface MenuProps {
  readonly access: MerchantAccess;
  readonly section: Section;
  readonly locale: Locale;
}

/** Two short lines on a phone, where a single one would cut off most names. */
const NAME_LINES = 'line-clamp-2 min-w-0 text-sm leading-tight wrap-anywhere sm:line-clamp-1 sm:text-base';

/** The merchant's name. For members of several merchants it is a menu with links to the same page of the other merchants. */
export function MerchantMenu({ access, section, locale }: MenuProps) {
  const t = translator(locale, 'Dashboard');
  const { merchant, merchants, scope } = access;
  if (merchants.length < 2) {
    return (
      <p title={merchant.name} className={`px-2 font-semibold ${NAME_LINES}`}>
        {merchant.name}
      </p>
    );
  }
  return (
    <Menu label={`${merchant.name}: ${t('switchMerchant')}`} button={<span className={`text-left ${NAME_LINES}`}>{merchant.name}</span>}>
      {merchants.map(({ slug, name }) => (
        <MenuLink key={slug} href={dashboardPath({ slug, environment: scope.environment, page: section })} current={slug === merchant.slug}>
          {name}
        </MenuLink>
      ))}
    </Menu>
  );
}

/** The menu of the signed-in user, with links to the account and to sign out. */
export function AccountMenu({ access, locale }: Omit<MenuProps, 'section'>) {
  const t = translator(locale, 'Dashboard');
  return (
    <Menu label={t('account')} align="end" short button={<Account text={t('account')} />}>
      <MenuNote>
        {t('signedInAs')} <strong className="text-ink">{access.user.mobile === null ? access.user.email : access.user.name}</strong>
      </MenuNote>
      <MenuLink href="/account">{translator(locale, 'Shell')('yourAccount')}</MenuLink>
      <MenuLine />
      <ThemeChoice locale={locale} inMenu />
      <MenuLine />
      <SignOutForm locale={locale} look="plain" />
    </Menu>
  );
}

function Account({ text }: { readonly text: string }) {
  return (
    <>
      <Icon name="person" className="size-5" />
      <span className="hidden sm:inline">{text}</span>
    </>
  );
}
