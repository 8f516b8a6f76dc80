import { randomUUID } from 'node:crypto';
import type { Metadata } from 'next';
import Link from 'next/link';
import type { PageProps } from '@/app/page-props';
import { Counter } from '@/components/dashboard/counter/counter';
import { counterData } from '@/components/dashboard/counter/present-counter';
import { SoundButton } from '@/components/dashboard/counter/sounds';
import { AccountMenu, PhoneBar } from '@/components/dashboard/shell/navigation';
import { NextPage } from '@/components/dashboard/shell/next-page';
import { StatusNotice } from '@/components/dashboard/shell/notices';
import { LanguageSwitch } from '@/components/dashboard/shell/preferences';
import { NotAllowed } from '@/components/dashboard/shell/shell';
import { ShopMark } from '@/components/dashboard/shop-phone';
import { pictureOf } from '@/components/dashboard/shop-picture';
import { Icon } from '@/components/ui/icon';
import { Notice } from '@/components/ui/notice';
import { Texts } from '@/components/ui/texts';
import { type CounterView, showCounter, showShop } from '@/lib/backoffice/counter/show-counter';
import { takesCash } from '@/lib/backoffice/counter/take-cash';
import { pageLocale } from '@/lib/entry/server/preferences';
import { findVisit, openVisit } from '@/lib/entry/server/visit';
import { dashboardPath, type MerchantAccess, may } from '@/lib/identity/accounts/access/grant-access';
import { actorName } from '@/lib/identity/audit/actor-name';
import type { Brand } from '@/lib/identity/merchants/brand-rules';
import { baseUrl } from '@/lib/platform/config/settings';
import { formatInstant } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { pickMessages, translator } from '@/lib/platform/i18n/translator';
import { closeShiftAction } from './actions';

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  const visit = await findVisit(await params);
  return { title: translator(await pageLocale(), 'Counter')('title'), ...(visit && { manifest: visit.path('counter/manifest') }) };
}

/** The counter of a member. With `?shell` it contains no bills: this is what a device keeps to open the page without a connection. */
export default async function CounterPage({ params, searchParams }: PageProps) {
  const { runtime, access, locale, place, path } = await openVisit(await params, 'counter');
  const view = await showCounter(runtime, access);
  if (!view) return <NotAllowed access={access} permission="counter.use" locale={locale} />;
  const offline = (await searchParams).shell !== undefined;
  const base = baseUrl(runtime.settings, access.scope.environment);
  return (
    <Texts locale={locale} messages={pickMessages(locale, ['Shell', 'Counter'])}>
      <CounterHeader access={access} brand={await showShop(runtime, access)} locale={locale} offline={offline} />
      {!offline && <PhoneBar access={access} section="counter" locale={locale} />}
      <main id="content" className="relative mx-auto grid max-w-6xl gap-4 px-3 py-3 max-lg:tall:pb-[calc(var(--phone-bar)+0.75rem)]">
        <StatusNotice access={access} section="counter" locale={locale} />
        {!offline && view.newLink && <NewLinkNotice link={view.newLink} locale={locale} />}
        <Counter
          path={path('counter')}
          place={place}
          member={access.user.id}
          first={offline ? null : counterData(view, base, locale)}
          takesCash={await takesCash(runtime, access)}
          releaseAt={may(access, 'bills.change') ? path('bills') : null}
          close={closeShiftAction}
        />
        {!offline && <NextPage mark={randomUUID()} loading={translator(locale, 'Shell')('loading')} />}
      </main>
    </Texts>
  );
}

interface CounterHeaderProps {
  readonly access: MerchantAccess;
  readonly brand: Brand | undefined;
  readonly locale: Locale;
  /**
   * Whether this is the copy of the page that the device stores, and opens when it has no connection. The copy contains nothing that
   * belongs to the session.
   */
  readonly offline: boolean;
}

/** The narrow header of the counter, so that keypad and buttons fit on the first screen of a phone. */
function CounterHeader({ access, brand, locale, offline }: CounterHeaderProps) {
  const t = translator(locale, 'Counter');
  const { slug, name } = access.merchant;
  const { environment } = access.scope;
  const sandbox = environment === 'sandbox';
  const { logo, mark } = pictureOf(access.scope.merchantId, name, brand);
  return (
    <header className={sandbox ? 'border-b-2 border-dashed border-amber bg-amber-soft' : 'border-b border-line bg-surface'}>
      <div className="mx-auto flex max-w-6xl items-center gap-1 px-3 py-1">
        <span className="mr-1.5">
          {/* Without a connection, a device cannot load the logo. */}
          <ShopMark logo={offline ? null : logo} {...mark} />
        </span>
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
          className={`grid size-11 place-items-center rounded-lg text-brand ${offline ? '' : 'max-lg:hidden'}`}
        >
          <Icon name="list" className="size-6" />
        </Link>
        {!offline && (
          <div className="flex items-center gap-1 max-lg:hidden">
            <LanguageSwitch locale={locale} />
            <AccountMenu access={access} locale={locale} />
          </div>
        )}
      </div>
    </header>
  );
}

/** Tells a cashier that somebody made a new link under the cashier's name. */
function NewLinkNotice({ link, locale }: { readonly link: NonNullable<CounterView['newLink']>; readonly locale: Locale }) {
  const t = translator(locale, 'Cashiers');
  const facts = { who: actorName(link.by, locale), when: formatInstant(link.at, locale) };
  return <Notice tone="wait" title={t('newLinkMade', facts)} text={t('newLinkMadeText')} />;
}
