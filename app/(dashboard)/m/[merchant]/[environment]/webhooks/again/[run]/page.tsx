import type { Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { type PageProps, single } from '@/app/(dashboard)/m/[merchant]/[environment]/params';
import { cancelRunAction } from '@/app/(dashboard)/m/[merchant]/[environment]/webhooks/actions';
import { HookPage } from '@/components/dashboard/hooks/hook-page';
import { LiveRefresh } from '@/components/dashboard/hooks/live-refresh';
import { RunProgress } from '@/components/dashboard/hooks/run-progress';
import { Said } from '@/components/dashboard/hooks/said';
import { PlaceFields } from '@/components/dashboard/keys/place-fields';
import { NotAllowed } from '@/components/dashboard/not-allowed';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { dashboardPath, may } from '@/lib/accounts/grant-access';
import { translator } from '@/lib/i18n/translator';
import { pageLocale } from '@/lib/server/preferences';
import { csrfToken, openVisit } from '@/lib/server/visit';
import { showOwnRedelivery } from '@/lib/webhooks/show-own-redelivery';
import { stampOf } from '@/lib/webhooks/stamp-own-view';

const SAID = ['not_allowed', 'over'] as const;

interface RunPageProps extends PageProps {
  readonly params: Promise<{ merchant: string; environment: string; run: string }>;
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: translator(await pageLocale(), 'Hooks')('runTitle') };
}

export default async function RunPage({ params, searchParams }: RunPageProps) {
  const { run: id, ...named } = await params;
  const { runtime, access, locale } = await openVisit(named, `webhooks/again/${encodeURIComponent(id)}`);
  const csrf = await csrfToken(runtime);
  if (!may(access, 'webhooks.view')) return <NotAllowed access={access} permission="webhooks.view" locale={locale} csrf={csrf} />;
  const run = await showOwnRedelivery(runtime, access, id);
  if (!run) notFound();
  const t = translator(locale, 'Hooks');
  const query = await searchParams;
  const said = SAID.find((one) => one === single(query.said));
  const takenBack = /^\d{1,9}$/.exec(single(query.takenBack) ?? '')?.[0];
  const place = { merchant: access.merchant.slug, environment: access.scope.environment };
  const path = (page: string) => dashboardPath({ slug: place.merchant, environment: place.environment, page });
  const endable = run.state === 'RUNNING' || run.waiting > 0;
  return (
    <HookPage access={access} locale={locale} csrf={csrf} tab="again">
      <LiveRefresh address={path(`webhooks/live?view=run&id=${run.id}`)} stamp={stampOf(run)} />
      <p>
        <Link href={path('webhooks/again')} prefetch={false} className="font-semibold text-brand underline">
          {t('backToRuns')}
        </Link>
      </p>
      <Said
        text={said ? t(said) : takenBack && run.state === 'CANCELLED' ? t('cancelled', { count: Number(takenBack) }) : null}
        good={!said}
      />
      <Card id="run" title={t('runTitle')}>
        <RunProgress run={run} locale={locale} />
      </Card>
      {endable && may(access, 'webhooks.change') && (
        <Card id="cancel" title={t('cancel')}>
          <p className="mb-3">{t('cancelText')}</p>
          <form action={cancelRunAction}>
            <PlaceFields {...place} />
            <input type="hidden" name="run" value={run.id} />
            <Button look="danger">{t('cancelNow')}</Button>
          </form>
        </Card>
      )}
    </HookPage>
  );
}
