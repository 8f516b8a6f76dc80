import Link from 'next/link';
import { AccountMenu } from '@/components/dashboard/shell/navigation';
import { LanguageSwitch } from '@/components/dashboard/shell/preferences';
import { Icon } from '@/components/ui/icon';
import { dashboardPath, type MerchantAccess } from '@/lib/accounts/access/grant-access';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { SoundButton } from './sound-button';

interface CounterHeaderProps {
  readonly access: MerchantAccess;
  readonly locale: Locale;
  /**
   * Whether this is the copy of the page that the device stores, and opens when it has no connection. The copy contains nothing that
   * belongs to the session.
   */
  readonly offline: boolean;
}

/** The narrow header of the counter, so that keypad and buttons fit on the first screen of a phone. */
export function CounterHeader({ access, locale, offline }: CounterHeaderProps) {
  const t = translator(locale, 'Counter');
  const { slug, name } = access.merchant;
  const { environment } = access.scope;
  const sandbox = environment === 'sandbox';
  return (
    <header className={sandbox ? 'border-b-2 border-dashed border-amber bg-amber-soft' : 'border-b border-line bg-surface'}>
      <div className="mx-auto flex max-w-6xl items-center gap-1 px-3 py-1">
        <div className="min-w-0 flex-1">
          <h1 className="truncate text-heading">{name}</h1>
          <p className="truncate text-small font-semibold text-muted">
            {sandbox && <strong className="mr-2 text-ink uppercase">{translator(locale, 'Dashboard')('sandbox')}</strong>}
            {access.user.name}
          </p>
        </div>
        <SoundButton />
        <Link
          href={dashboardPath({ slug, environment, page: 'bills' })}
          prefetch={false}
          aria-label={t('allBills')}
          className="grid size-11 place-items-center rounded-lg text-brand"
        >
          <Icon name="list" className="size-6" />
        </Link>
        {!offline && (
          <>
            <LanguageSwitch locale={locale} />
            <AccountMenu access={access} locale={locale} />
          </>
        )}
      </div>
    </header>
  );
}
