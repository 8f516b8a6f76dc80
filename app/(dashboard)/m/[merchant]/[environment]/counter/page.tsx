import type { Metadata } from 'next';
import type { PageProps } from '@/app/page-props';
import { Counter } from '@/components/dashboard/counter/counter';
import { CounterHeader } from '@/components/dashboard/counter/counter-header';
import { counterData } from '@/components/dashboard/counter/present-counter';
import { NotAllowed } from '@/components/dashboard/shell/not-allowed';
import { NewLinkNotice, StatusNotice } from '@/components/dashboard/shell/notices';
import { Texts } from '@/components/ui/texts';
import { baseUrl } from '@/lib/config/settings';
import { showCounter } from '@/lib/counter/show-counter';
import { pickMessages, translator } from '@/lib/i18n/translator';
import { pageLocale } from '@/lib/server/preferences';
import { findVisit, openVisit } from '@/lib/server/visit';
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
      <CounterHeader access={access} locale={locale} offline={offline} />
      <main id="content" className="mx-auto grid max-w-6xl gap-4 px-3 py-3">
        <StatusNotice access={access} locale={locale} />
        {!offline && view.newLink && <NewLinkNotice link={view.newLink} locale={locale} />}
        <Counter
          path={path('counter')}
          place={place}
          member={access.user.id}
          first={offline ? null : counterData(view, base, locale)}
          close={closeShiftAction}
        />
      </main>
    </Texts>
  );
}
