import type { Metadata } from 'next';
import type { PageProps } from '@/app/(dashboard)/m/[merchant]/[environment]/params';
import { explainAction } from '@/app/(dashboard)/m/[merchant]/[environment]/webhooks/form-actions';
import { NotAllowed } from '@/components/dashboard/shell/not-allowed';
import { ExplainForm } from '@/components/dashboard/webhooks/endpoint/explain-form';
import { WebhookPage } from '@/components/dashboard/webhooks/webhook-page';
import { Card } from '@/components/ui/card';
import { may } from '@/lib/accounts/access/grant-access';
import { translator } from '@/lib/i18n/translator';
import { pageLocale } from '@/lib/server/preferences';
import { openVisit } from '@/lib/server/visit';

export async function generateMetadata(): Promise<Metadata> {
  return { title: translator(await pageLocale(), 'Hooks')('tab_explain') };
}

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
