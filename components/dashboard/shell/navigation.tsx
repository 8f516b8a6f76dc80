import Link from 'next/link';
import { Icon, type IconName } from '@/components/ui/icon';
import { ButtonLink } from '@/components/ui/links';
import { Menu, MenuLine, MenuLink, MenuNote } from '@/components/ui/sheet';
import { dashboardPath, type MerchantAccess, may } from '@/lib/identity/accounts/access/grant-access';
import type { Permission } from '@/lib/identity/accounts/permissions';
import { ENVIRONMENTS } from '@/lib/platform/core/scope';
import type { Locale } from '@/lib/platform/i18n/locale';
import type { Messages } from '@/lib/platform/i18n/messages';
import { messagesOf, translator } from '@/lib/platform/i18n/translator';
import { LanguageChoice, ThemeChoice } from './preferences';
import { SignOutForm } from './sign-out-form';

/** The links to all pages that the viewer may open, at the left of a wide window. */
export function SectionNav({ access, section, locale }: FrameProps) {
  const { slug } = access.merchant;
  const { environment } = access.scope;
  return (
    <nav aria-label={translator(locale, 'Dashboard')('navigation')}>
      <ul className="grid gap-1">
        {SECTIONS.filter(({ permission }) => may(access, permission)).map(({ section: page, texts, icon }) => (
          <li key={page}>
            <Link
              href={dashboardPath({ slug, environment, page })}
              prefetch={false}
              data-names-page
              aria-current={page === section ? 'page' : undefined}
              className="flex min-h-control items-center gap-2.5 rounded-lg px-2.5 font-semibold whitespace-nowrap hover:bg-sunken aria-[current]:bg-brand-soft aria-[current]:text-brand"
            >
              <Icon name={icon} className="size-5" />
              {messagesOf(locale, texts).title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Whether the viewer can create a bill here and now. */
function createsBills(access: MerchantAccess): boolean {
  return may(access, 'bills.create') && access.status === 'active';
}

/** The link to create a bill, in the header of a wide window. */
export function NewBillLink({ access, locale }: Omit<FrameProps, 'section'>) {
  if (!createsBills(access)) return null;
  const { merchant, scope } = access;
  return (
    <ButtonLink href={dashboardPath({ slug: merchant.slug, environment: scope.environment, page: 'bills/new' })} look="primary">
      <Icon name="plus" />
      {translator(locale, 'BillList')('create')}
    </ButtonLink>
  );
}

/** A place in the bar of a narrow window. Its letters grow with the window, so that a word never is wider than its place. */
const PLACE =
  'group flex h-full min-h-14 w-full flex-col items-center justify-center gap-0.5 text-[min(0.75rem,3.6vw)] leading-none font-semibold text-muted aria-[current]:text-brand';

function Place({ icon, text }: { readonly icon: IconName; readonly text: string }) {
  return (
    <>
      <span className="rounded-full px-[min(1rem,4vw)] py-0.5 group-aria-[current]:bg-brand-soft">
        <Icon name={icon} className="size-[min(1.5rem,7vw)]" />
      </span>
      {text}
    </>
  );
}

/**
 * The bar at the bottom of a narrow window: the main pages, the link to create a bill, and a menu with everything else. In a low window,
 * for example at a zoom of 400 %, it is below the header and does not stay in view.
 */
export function PhoneBar({ access, section, locale }: FrameProps) {
  const t = translator(locale, 'Shell');
  const { slug } = access.merchant;
  const { environment } = access.scope;
  const pages = SECTIONS.filter(({ permission }) => may(access, permission));
  const places = pages.filter(({ inBar }) => inBar);
  const others = pages.filter(({ inBar }) => !inBar);
  const link = ({ section: page, texts, icon }: (typeof SECTIONS)[number]) => (
    <li key={page}>
      <Link
        href={dashboardPath({ slug, environment, page })}
        prefetch={false}
        data-names-page
        aria-current={page === section ? 'page' : undefined}
        className={PLACE}
      >
        <Place icon={icon} text={messagesOf(locale, texts).title} />
      </Link>
    </li>
  );
  const last = places.slice(-1);
  return (
    <nav
      data-phone-bar
      aria-label={translator(locale, 'Dashboard')('navigation')}
      className="border-line bg-surface pb-[env(safe-area-inset-bottom,0px)] border-b lg:hidden print:hidden tall:fixed tall:inset-x-0 tall:bottom-0 tall:z-30 tall:border-t tall:border-b-0"
    >
      <ul className="mx-auto grid max-w-xl auto-cols-fr grid-flow-col px-1">
        {places.slice(0, -1).map(link)}
        {createsBills(access) && (
          <li className="grid place-items-center">
            <Link
              href={dashboardPath({ slug, environment, page: 'bills/new' })}
              prefetch={false}
              data-names-page
              className="grid size-[min(3rem,14vw)] place-items-center rounded-full bg-brand text-on-brand shadow-md hover:bg-brand-deep"
            >
              <Icon name="plus" className="size-[min(1.5rem,7vw)]" />
              <span className="sr-only">{translator(locale, 'BillList')('create')}</span>
            </Link>
          </li>
        )}
        {last.map(link)}
        <li>
          <Menu look="bar" button={<MoreButton current={others.some((page) => page.section === section)} text={t('more')} />}>
            <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(6rem,100%),1fr))] gap-2">
              {others.map(({ section: page, texts, icon }) => (
                <Tile key={page} icon={icon} href={dashboardPath({ slug, environment, page })} current={page === section}>
                  {messagesOf(locale, texts).title}
                </Tile>
              ))}
              {environment === 'sandbox' && may(access, 'bills.create') && (
                <Tile icon="phone" href={dashboardPath({ slug, environment, page: 'phones' })}>
                  {translator(locale, 'SandboxTime')('page')}
                </Tile>
              )}
            </ul>
            <div className="mt-3 grid gap-3">
              {access.billsOf === null && <EnvironmentChoice access={access} section={section} locale={locale} />}
              <LanguageChoice locale={locale} />
              <ThemeChoice locale={locale} />
            </div>
            <MenuLine />
            <AccountItems access={access} locale={locale} />
          </Menu>
        </li>
      </ul>
    </nav>
  );
}

function MoreButton({ current, text }: { readonly current: boolean; readonly text: string }) {
  return (
    <span aria-current={current ? 'true' : undefined} className={PLACE}>
      <Place icon="menu" text={text} />
    </span>
  );
}

interface TileProps {
  readonly icon: IconName;
  readonly href: string;
  readonly current?: boolean;
  readonly children: string;
}

/** A page in the menu of the bar. */
function Tile({ icon, href, current = false, children }: TileProps) {
  return (
    <li>
      <Link
        href={href}
        prefetch={false}
        data-names-page
        aria-current={current ? 'page' : undefined}
        className="flex h-full min-h-18 flex-col items-center justify-center gap-1.5 rounded-xl bg-ground px-1 py-2 text-center text-small leading-tight font-semibold wrap-anywhere hover:bg-sunken aria-[current]:bg-brand-soft aria-[current]:text-brand"
      >
        <Icon name={icon} className="size-5 text-brand" />
        {children}
      </Link>
    </li>
  );
}

interface SectionEntry {
  /** The last part of the page's address. */
  readonly section: string;
  /** The namespace of the page's texts. Its `title` is the name in the navigation. */
  readonly texts: keyof Messages;
  readonly icon: IconName;
  readonly permission: Permission;
  /** Whether the bar of a narrow window contains the page. The other pages are in its menu. */
  readonly inBar: boolean;
}

/** The pages of a merchant's environment in the order of the navigation, with their texts and the permission that each requires. */
const SECTIONS = [
  { section: 'overview', texts: 'Overview', icon: 'gauge', permission: 'overview.view', inBar: true },
  { section: 'counter', texts: 'Counter', icon: 'keypad', permission: 'counter.use', inBar: true },
  { section: 'bills', texts: 'BillList', icon: 'document', permission: 'bills.view', inBar: true },
  { section: 'refunds', texts: 'Refunds', icon: 'back', permission: 'refunds.view', inBar: false },
  { section: 'webhooks', texts: 'Webhooks', icon: 'send', permission: 'webhooks.view', inBar: false },
  { section: 'keys', texts: 'Keys', icon: 'key', permission: 'keys.view', inBar: false },
  { section: 'team', texts: 'Team', icon: 'people', permission: 'team.view', inBar: false },
  { section: 'settings', texts: 'Settings', icon: 'sliders', permission: 'settings.view', inBar: false },
  { section: 'audit', texts: 'Audit', icon: 'list', permission: 'audit.view', inBar: false },
] as const satisfies readonly SectionEntry[];

export type Section = (typeof SECTIONS)[number]['section'];

// The strip of the sandbox has a dashed border, so that people can recognize it without seeing colours.
const GROUNDS = {
  live: 'bg-brand text-on-brand',
  sandbox: 'bg-amber-soft text-ink border-y-2 border-dashed border-amber',
} as const;

/**
 * Shows the current environment, with a link to the same page of the other environment. Cashiers have access to one environment only, so
 * they get no link.
 */
export function EnvironmentStrip({ access, section, locale }: FrameProps) {
  const t = translator(locale, 'Dashboard');
  const { slug } = access.merchant;
  const { environment } = access.scope;
  const [other, to] = environment === 'live' ? (['sandbox', 'toSandbox'] as const) : (['live', 'toLive'] as const);
  return (
    <div className={GROUNDS[environment]}>
      <div className="mx-auto flex max-w-7xl items-center justify-between gap-x-3 px-3 text-xs lg:px-6 lg:text-sm">
        <p className="flex min-h-5 min-w-0 items-center gap-1.5 lg:min-h-control lg:gap-2">
          <Icon name={environment === 'live' ? 'coin' : 'flask'} className="size-3.5 lg:size-5" />
          <span className="min-w-0">
            <strong className="tracking-wide uppercase">{t(environment)}</strong>
            {' · '}
            {t(`${environment}Note`)}
          </span>
        </p>
        {access.billsOf === null && (
          <div className="flex items-center gap-x-4 font-semibold">
            {environment === 'sandbox' && may(access, 'bills.create') && (
              <Link
                href={dashboardPath({ slug, environment, page: 'phones' })}
                prefetch={false}
                className="flex min-h-control items-center gap-1.5 underline underline-offset-4 max-lg:hidden"
              >
                <Icon name="phone" />
                {translator(locale, 'SandboxTime')('page')}
              </Link>
            )}
            {/* On a phone the link is higher than the strip: it can be touched a little above, up to the buttons there, and below. */}
            <Link
              href={dashboardPath({ slug, environment: other, page: section ?? 'bills' })}
              prefetch={false}
              aria-label={t(to)}
              className="relative flex items-center gap-1 underline underline-offset-2 max-lg:after:absolute max-lg:after:-inset-x-3 max-lg:after:-top-2 max-lg:after:-bottom-5 max-lg:after:content-[''] lg:min-h-control lg:underline-offset-4"
            >
              <span className="lg:hidden">{t(other)}</span>
              <span className="max-lg:hidden">{t(to)}</span>
              <Icon name="right" className="size-3" />
            </Link>
          </div>
        )}
      </div>
    </div>
  );
}

/** The environments as two links, of which one is the current one. */
function EnvironmentChoice({ access, section, locale }: FrameProps) {
  const t = translator(locale, 'Dashboard');
  return (
    <fieldset>
      <legend className="pb-1 text-sm text-muted">{t('environment')}</legend>
      <ul className="grid grid-cols-2 gap-1">
        {ENVIRONMENTS.map((one) => (
          <li key={one}>
            <Link
              href={dashboardPath({ slug: access.merchant.slug, environment: one, page: section ?? 'bills' })}
              prefetch={false}
              aria-current={one === access.scope.environment ? 'true' : undefined}
              className="flex min-h-control items-center justify-center gap-1.5 rounded-lg border border-line text-sm font-semibold aria-[current]:border-brand aria-[current]:bg-brand-soft aria-[current]:text-brand"
            >
              <Icon name={one === 'live' ? 'coin' : 'flask'} />
              {t(one)}
            </Link>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

interface FrameProps {
  readonly access: MerchantAccess;
  /** Null on a page that is not in the navigation. */
  readonly section: Section | null;
  readonly locale: Locale;
}

/** Two short lines on a phone, where a single one would cut off most names. */
const NAME_LINES = 'line-clamp-2 min-w-0 text-sm leading-tight wrap-anywhere sm:line-clamp-1 sm:text-base';

/** The merchant's name. For members of several merchants it is a menu with links to the same page of the other merchants. */
export function MerchantMenu({ access, section, locale }: FrameProps) {
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
        <MenuLink
          key={slug}
          href={dashboardPath({ slug, environment: scope.environment, page: section ?? 'bills' })}
          current={slug === merchant.slug}
        >
          {name}
        </MenuLink>
      ))}
    </Menu>
  );
}

/** The menu of the signed-in user, in the header of a wide window. */
export function AccountMenu({ access, locale }: Omit<FrameProps, 'section'>) {
  const t = translator(locale, 'Dashboard');
  const button = (
    <>
      <Icon name="person" className="size-5" />
      {t('account')}
    </>
  );
  return (
    <Menu align="end" button={button}>
      <AccountItems access={access} locale={locale} />
      <MenuLine />
      <div className="px-2 pb-1">
        <ThemeChoice locale={locale} />
      </div>
    </Menu>
  );
}

/** Who is signed in, with links to the account and to sign out. */
function AccountItems({ access: { user }, locale }: Omit<FrameProps, 'section'>) {
  return (
    <>
      <MenuNote>
        {translator(locale, 'Dashboard')('signedInAs')}{' '}
        <strong className="text-ink">{user.mobile === null ? user.email : user.name}</strong>
      </MenuNote>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <MenuLink href="/account">{translator(locale, 'Shell')('yourAccount')}</MenuLink>
        <SignOutForm locale={locale} look="plain" />
      </div>
    </>
  );
}
