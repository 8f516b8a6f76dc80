import { Icon } from '@/components/ui/icon';
import { Menu, MenuLine, MenuLink, MenuNote } from '@/components/ui/menu';
import { dashboardPath, type MerchantAccess } from '@/lib/accounts/access/grant-access';
import { type Locale, translator } from '@/lib/i18n/translator';
import { ThemeChoice } from './preferences';
import type { Section } from './section-nav';
import { SignOutForm } from './sign-out-form';

interface MenuProps {
  readonly access: MerchantAccess;
  readonly section: Section;
  readonly locale: Locale;
}

/** The merchant's name. For members of several merchants it is a menu with links to the same page of the others. */
export function MerchantMenu({ access, section, locale }: MenuProps) {
  const t = translator(locale, 'Dashboard');
  const { merchant, merchants, scope } = access;
  if (merchants.length < 2) {
    return (
      <p title={merchant.name} className="min-w-0 truncate px-2 font-semibold">
        {merchant.name}
      </p>
    );
  }
  return (
    <Menu label={`${merchant.name}: ${t('switchMerchant')}`} button={<span className="truncate">{merchant.name}</span>}>
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
    <Menu label={t('account')} align="end" button={<Account text={t('account')} />}>
      <MenuNote>
        {t('signedInAs')} <strong className="text-ink">{access.user.email}</strong>
      </MenuNote>
      <MenuLink href="/account">{translator(locale, 'Shell')('yourAccount')}</MenuLink>
      <MenuLine />
      <ThemeChoice locale={locale} />
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
