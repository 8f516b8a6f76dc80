import { type PageProps, single, titled } from '@/app/page-props';
import { AlertItem } from '@/components/dashboard/alerts/alert-item';
import { alertRow } from '@/components/dashboard/alerts/alert-row';
import { Help } from '@/components/dashboard/help/help';
import { Pager } from '@/components/dashboard/pager';
import { Shell } from '@/components/dashboard/shell/shell';
import { ActionForm, SubmitButton } from '@/components/ui/forms/action-form';
import { Card, EmptyState, PageHeader } from '@/components/ui/layout';
import { listAlerts } from '@/lib/alerts/list-alerts';
import { formatPosition, parsePosition } from '@/lib/alerts/position';
import { translator } from '@/lib/i18n/translator';
import { openVisit } from '@/lib/server/visit';
import { markReadAction } from './actions';

export const generateMetadata = titled('Alerts', 'title');

export default async function NotificationsPage({ params, searchParams }: PageProps) {
  const { runtime, access, locale, place, path } = await openVisit(await params, 'notifications');
  const before = parsePosition(single((await searchParams).before));
  const { alerts, readUntil, older } = await listAlerts(runtime, access, before);
  const t = translator(locale, 'Alerts');
  const [newest] = alerts;
  const unread = newest !== undefined && newest.at > readUntil;
  return (
    <Shell access={access} locale={locale} section={null}>
      <PageHeader help={<Help page="notifications" locale={locale} />} title={t('title')} intro={t('intro')}>
        {unread && before === null && (
          <ActionForm action={markReadAction} hidden={{ ...place, until: newest.at.toISOString() }}>
            <SubmitButton look="plain">{t('markRead')}</SubmitButton>
          </ActionForm>
        )}
      </PageHeader>
      <Card>
        {alerts.length === 0 ? (
          <EmptyState title={t('emptyTitle')} text={t('emptyText')} />
        ) : (
          <ul className="-mx-2 grid gap-0.5">
            {alerts.map((alert) => (
              <AlertItem key={alert.id} row={alertRow(alert, { readUntil, now: runtime.clock(), locale, path })} newText={t('unread')} />
            ))}
          </ul>
        )}
      </Card>
      <Pager path={path('notifications')} older={older && formatPosition(older)} first={before === null} locale={locale} />
    </Shell>
  );
}
