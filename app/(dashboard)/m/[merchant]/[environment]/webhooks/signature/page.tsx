import { explainAction } from '@/app/(dashboard)/m/[merchant]/[environment]/webhooks/form-actions';
import { type PageProps, titled } from '@/app/page-props';
import { NotAllowed } from '@/components/dashboard/shell/not-allowed';
import { ExplainForm } from '@/components/dashboard/webhooks/endpoint/explain-form';
import { WebhookPage } from '@/components/dashboard/webhooks/webhook-page';
import { Card } from '@/components/ui/layout';
import { may } from '@/lib/accounts/access/grant-access';
import { translator } from '@/lib/i18n/translator';
import { openVisit } from '@/lib/server/visit';

export const generateMetadata = titled('Hooks', 'tab_explain');

export default async function ExplainPage({ params }: PageProps) {
  const { access, locale, place } = await openVisit(await params, 'webhooks/signature');
  if (!may(access, 'webhooks.view')) return <NotAllowed access={access} permission="webhooks.view" locale={locale} />;
  const t = translator(locale, 'Hooks');
  return (
    <WebhookPage access={access} locale={locale} tab="explain">
      <Card id="explain" title={t('explainTitle')}>
        <ExplainForm key={`${place.merchant}/${place.environment}`} action={explainAction} place={place} />
      </Card>
    </WebhookPage>
  );
}
