import Link from 'next/link';
import { Icon } from '@/components/ui/icon';
import { dashboardPath, type MerchantAccess } from '@/lib/accounts/grant-access';
import { type Locale, translator } from '@/lib/i18n/translator';
import type { Section } from './section';
import { SignOutForm } from './sign-out-form';

// On the narrowest screens a panel is as wide as the header, which is what it is placed by.
const PANEL = 'absolute inset-x-4 z-10 mt-1 sm:inset-x-auto sm:w-64 rounded-lg border border-line bg-white p-3 shadow-lg';
const SUMMARY = 'flex min-h-11 cursor-pointer list-none items-center gap-1 font-semibold';

interface MenuProps {
  readonly access: MerchantAccess;
  readonly section: Section;
  readonly locale: Locale;
}

/** The merchant's name; for somebody with several, the way to the same page of another. */
export function MerchantMenu({ access, section, locale }: MenuProps) {
  const t = translator(locale, 'Dashboard');
  const { merchant, merchants, scope } = access;
  if (merchants.length < 2) return <p className="min-w-0 truncate font-semibold">{merchant.name}</p>;
  return (
    <details className="min-w-0 sm:relative">
      <summary className={SUMMARY}>
        <span className="truncate">{merchant.name}</span>
        <Icon name="down" />
        <span className="sr-only">{t('switchMerchant')}</span>
      </summary>
      <nav aria-label={t('merchants')} className={PANEL}>
        <ul>
          {merchants.map(({ slug, name }) => (
            <li key={slug}>
              <Link
                href={dashboardPath({ slug, environment: scope.environment, page: section })}
                prefetch={false}
                aria-current={slug === merchant.slug ? 'true' : undefined}
                className="flex items-center gap-2 rounded px-2 py-2 wrap-anywhere hover:bg-brand-soft aria-[current]:font-bold"
              >
                {name}
                {slug === merchant.slug && <Icon name="check" />}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </details>
  );
}

/** Who is signed in, and the way out. */
export function AccountMenu({ access, locale, csrf }: Omit<MenuProps, 'section'> & { readonly csrf: string | null }) {
  const t = translator(locale, 'Dashboard');
  return (
    <details className="sm:relative">
      <summary className={SUMMARY}>
        {t('account')}
        <Icon name="down" />
      </summary>
      <div className={`${PANEL} sm:right-0 grid gap-3`}>
        <p className="text-sm wrap-anywhere">
          {t('signedInAs')} <strong>{access.user.email}</strong>
        </p>
        <SignOutForm locale={locale} csrf={csrf} look="plain" />
      </div>
    </details>
  );
}
