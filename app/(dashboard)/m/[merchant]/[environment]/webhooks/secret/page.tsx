import type { Metadata } from 'next';
import { type PageProps, single } from '@/app/(dashboard)/m/[merchant]/[environment]/params';
import { endOverlapAction } from '@/app/(dashboard)/m/[merchant]/[environment]/webhooks/actions';
import { rotateAction, showSecretAction } from '@/app/(dashboard)/m/[merchant]/[environment]/webhooks/form-actions';
import { ConfirmCard } from '@/components/dashboard/confirm-card';
import { HookPage } from '@/components/dashboard/hooks/hook-page';
import { RotateForm } from '@/components/dashboard/hooks/rotate-form';
import { Said } from '@/components/dashboard/hooks/said';
import { SecretForm } from '@/components/dashboard/hooks/secret-form';
import { PlaceFields } from '@/components/dashboard/keys/place-fields';
import { NotAllowed } from '@/components/dashboard/not-allowed';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { dashboardPath, isProven, may } from '@/lib/accounts/grant-access';
import { formatExactInstant } from '@/lib/i18n/format';
import { translator } from '@/lib/i18n/translator';
import { pageLocale } from '@/lib/server/preferences';
import { csrfToken, openVisit } from '@/lib/server/visit';
import { showOwnEndpoint } from '@/lib/webhooks/show-own-endpoint';

const SAID = ['ended', 'over', 'not_allowed', 'not_proven'] as const;

export async function generateMetadata(): Promise<Metadata> {
  return { title: translator(await pageLocale(), 'Hooks')('tab_secret') };
}

export default async function SecretPage({ params, searchParams }: PageProps) {
  const { runtime, access, locale } = await openVisit(await params, 'webhooks/secret');
  const csrf = await csrfToken(runtime);
  const endpoint = await showOwnEndpoint(runtime, access);
  if (!endpoint || !may(access, 'webhooks.change')) {
    return <NotAllowed access={access} permission="webhooks.change" locale={locale} csrf={csrf} />;
  }
  const t = translator(locale, 'Hooks');
  const query = await searchParams;
  const said = SAID.find((one) => one === single(query.said));
  const place = { merchant: access.merchant.slug, environment: access.scope.environment };
  const path = (page: string) => dashboardPath({ slug: place.merchant, environment: place.environment, page });
  const until = endpoint.previousSecretUntil;
  const form = `${place.merchant}/${place.environment}`;
  // A secret that was shown before the newest rotation is no longer the one that signs.
  const rotation = endpoint.history.find(({ action }) => action === 'webhook.secret_rotated');
  if (!isProven(access, runtime.clock())) {
    return (
      <HookPage access={access} locale={locale} csrf={csrf} tab="secret">
        <ConfirmCard locale={locale} back={path('webhooks/secret')} wrong={single(query.wrong) !== null} />
      </HookPage>
    );
  }
  return (
    <HookPage access={access} locale={locale} csrf={csrf} tab="secret">
      <Said text={said ? t(said) : null} good={said === 'ended'} />
      <Card id="secret" title={t('secretTitle')}>
        <p className="mb-3 max-w-prose text-muted">{t('secretText')}</p>
        <SecretForm key={`${form}/${rotation?.id}`} action={showSecretAction} {...place} />
      </Card>
      {until && (
        <Card id="two" title={t('twoTitle', { until: formatExactInstant(until, locale) })}>
          <p className="mb-3">{t('twoText')}</p>
          <form action={endOverlapAction}>
            <PlaceFields {...place} />
            <Button look="danger">{t('endOld')}</Button>
          </form>
        </Card>
      )}
      <Card id="rotate" title={t('rotateTitle')}>
        <RotateForm key={form} action={rotateAction} {...place} />
      </Card>
    </HookPage>
  );
}
