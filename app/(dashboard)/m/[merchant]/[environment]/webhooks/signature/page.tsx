import { explainAction } from '@/app/(dashboard)/m/[merchant]/[environment]/webhooks/actions';
import { type PageProps, titled } from '@/app/page-props';
import { NotAllowed } from '@/components/dashboard/shell/shell';
import { ExplainForm } from '@/components/dashboard/webhooks/endpoint/endpoint-forms';
import { WebhookPage } from '@/components/dashboard/webhooks/webhook-page';
import { Card } from '@/components/ui/layout';
import { openVisit } from '@/lib/entry/server/visit';
import { may } from '@/lib/identity/accounts/access/grant-access';
import { translator } from '@/lib/platform/i18n/translator';

export const generateMetadata = titled('Hooks', 'tab_explain');

export default async function ExplainPage({ params }: PageProps) {
  const { access, locale, place } = await openVisit(await params, 'webhooks/signature');
  if (!may(access, 'webhooks.view')) return <NotAllowed access={access} permission="webhooks.view" locale={locale} />;
  const t = translator(locale, 'Hooks');
  return (
    <WebhookPage access={access} locale={locale} tab="explain">
      <Card id="explain" title={t('explainTitle')}>
        <ExplainForm key={`${place.merchant}/${place.environment}`} action={explainAction} />
      </Card>
    </WebhookPage>
  );
}
