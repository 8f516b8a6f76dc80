import { notFound } from 'next/navigation';
import { cancelRunAction } from '@/app/(dashboard)/m/[merchant]/[environment]/webhooks/actions';
import { type PageProps, single, titled } from '@/app/page-props';
import { LiveRefresh } from '@/components/dashboard/live-refresh';
import { ResultNotice } from '@/components/dashboard/result-notice';
import { NotAllowed } from '@/components/dashboard/shell/shell';
import { RunProgress } from '@/components/dashboard/webhooks/run-progress';
import { WebhookPage } from '@/components/dashboard/webhooks/webhook-page';
import { ActionForm, SubmitButton } from '@/components/ui/forms/action-form';
import { Card } from '@/components/ui/layout';
import { BackLink } from '@/components/ui/links';
import { versionOf } from '@/lib/backoffice/delivery-log/view-version';
import { openVisit } from '@/lib/entry/server/visit';
import { showRedelivery } from '@/lib/gateway/webhooks/redeliver/show-redelivery';
import { may } from '@/lib/identity/accounts/access/grant-access';
import { translator } from '@/lib/platform/i18n/translator';

const RESULTS = ['not_allowed', 'second_factor_due', 'over'] as const;

export const generateMetadata = titled('Hooks', 'runTitle');

export default async function RunPage({ params, searchParams }: PageProps<'run'>) {
  const { run: id, ...named } = await params;
  const { runtime, access, locale, path } = await openVisit(named, `webhooks/resend/${encodeURIComponent(id)}`);
  if (!may(access, 'webhooks.view')) return <NotAllowed access={access} permission="webhooks.view" locale={locale} />;
  const run = await showRedelivery(runtime, access, id);
  if (!run) notFound();
  const t = translator(locale, 'Hooks');
  const query = await searchParams;
  const result = RESULTS.find((one) => one === single(query.result));
  const returned = /^\d{1,9}$/.exec(single(query.returned) ?? '')?.[0];
  const endable = run.state === 'RUNNING' || run.waiting > 0;
  return (
    <WebhookPage access={access} locale={locale} tab="again">
      <LiveRefresh address={path(`webhooks/live?view=run&id=${run.id}`)} watched={{ version: versionOf(run) }} />
      <BackLink href={path('webhooks/resend')}>{t('backToRuns')}</BackLink>
      {result && <ResultNotice text={t(result)} good={false} />}
      {returned && run.state === 'CANCELLED' && <ResultNotice text={t('cancelled', { count: Number(returned) })} good />}
      <Card id="run" title={t('runTitle')}>
        <RunProgress run={run} locale={locale} />
      </Card>
      {endable && may(access, 'webhooks.change') && (
        <Card id="cancel" title={t('cancel')}>
          <p className="mb-3">{t('cancelText')}</p>
          <ActionForm action={cancelRunAction} hidden={{ run: run.id }}>
            <SubmitButton look="danger">{t('cancelNow')}</SubmitButton>
          </ActionForm>
        </Card>
      )}
    </WebhookPage>
  );
}
