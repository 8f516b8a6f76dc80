import { ConfirmCard } from '@/app/(auth)/confirm/confirm-card';
import { endOverlapAction, rotateAction, showSecretAction } from '@/app/(dashboard)/m/[merchant]/[environment]/webhooks/actions';
import { type PageProps, single, titled } from '@/app/page-props';
import { ResultNotice } from '@/components/dashboard/result-notice';
import { NotAllowed } from '@/components/dashboard/shell/shell';
import { RotateForm, SecretForm } from '@/components/dashboard/webhooks/endpoint/endpoint-forms';
import { WebhookPage } from '@/components/dashboard/webhooks/webhook-page';
import { ActionForm, SubmitButton } from '@/components/ui/forms/action-form';
import { Card } from '@/components/ui/layout';
import { showEndpointPage } from '@/lib/backoffice/delivery-log/show-endpoint';
import { openVisit } from '@/lib/entry/server/visit';
import { isProven, may } from '@/lib/identity/accounts/access/grant-access';
import { roleMay } from '@/lib/identity/accounts/permissions';
import { formatExactInstant } from '@/lib/platform/i18n/format';
import { translator } from '@/lib/platform/i18n/translator';

const RESULTS = ['ended', 'over', 'not_allowed', 'second_factor_due', 'not_proven'] as const;

export const generateMetadata = titled('Hooks', 'tab_secret');

export default async function SecretPage({ params, searchParams }: PageProps) {
  const { runtime, access, locale, place, path } = await openVisit(await params, 'webhooks/secret');
  const endpoint = await showEndpointPage(runtime, access);
  if (!endpoint || !roleMay(access.role, 'webhooks.change')) {
    return <NotAllowed access={access} permission="webhooks.change" locale={locale} />;
  }
  const t = translator(locale, 'Hooks');
  const query = await searchParams;
  const result = RESULTS.find((one) => one === single(query.result));
  const until = endpoint.previousSecretUntil;
  const form = `${place.merchant}/${place.environment}`;
  // The React key of the form contains the id of the newest rotation. So a rotation resets the form, which then no longer shows the
  // previous secret as the current one.
  const rotation = endpoint.history.find(({ action }) => action === 'webhook.secret_rotated');
  if (!may(access, 'webhooks.change') || !isProven(access, runtime.clock())) {
    return (
      <WebhookPage access={access} locale={locale} tab="secret">
        {may(access, 'webhooks.change') && (
          <ConfirmCard locale={locale} back={path('webhooks/secret')} wrong={single(query.wrong) !== null} />
        )}
      </WebhookPage>
    );
  }
  return (
    <WebhookPage access={access} locale={locale} tab="secret">
      {result && <ResultNotice text={t(result)} good={result === 'ended'} />}
      <Card id="secret" title={t('secretTitle')}>
        <p className="mb-3 max-w-prose text-muted">{t('secretText')}</p>
        <SecretForm key={`${form}/${rotation?.id}`} action={showSecretAction} />
      </Card>
      {until && (
        <Card id="two" title={t('twoTitle', { until: formatExactInstant(until, locale) })}>
          <p className="mb-3">{t('twoText')}</p>
          <ActionForm action={endOverlapAction}>
            <SubmitButton look="danger">{t('endOld')}</SubmitButton>
          </ActionForm>
        </Card>
      )}
      <Card id="rotate" title={t('rotateTitle')}>
        <RotateForm key={form} action={rotateAction} />
      </Card>
    </WebhookPage>
  );
}
