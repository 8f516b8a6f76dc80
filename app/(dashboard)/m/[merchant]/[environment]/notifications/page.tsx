import { Fragment } from 'react';
import { type PageProps, single, titled } from '@/app/page-props';
import { type AlertRow, alertRow } from '@/components/dashboard/alerts/alert-row';
import { Help } from '@/components/dashboard/help/help';
import { Pager } from '@/components/dashboard/pager';
import { Shell } from '@/components/dashboard/shell/shell';
import { LineIcon } from '@/components/ui/badge';
import { ActionForm, SubmitButton } from '@/components/ui/forms/action-form';
import { Card, EmptyState, PageHeader } from '@/components/ui/layout';
import { Line, LineCell, LineLink, List, ListHeading } from '@/components/ui/list';
import { Nav } from '@/components/ui/nav';
import { ALERT_TOPICS, type Alert, type AlertTopic, formatPosition, parsePosition } from '@/lib/backoffice/alerts/alert';
import { listAlerts, UNREAD_MAX } from '@/lib/backoffice/alerts/list-alerts';
import { openVisit } from '@/lib/entry/server/visit';
import { byDay, eastAfricanDay } from '@/lib/platform/core/east-african-day';
import { formatDayHeading, formatMoney } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { markReadAction } from './actions';

export const generateMetadata = titled('Alerts', 'title');

export default async function NotificationsPage({ params, searchParams }: PageProps) {
  const { runtime, access, locale, path } = await openVisit(await params, 'notifications');
  const asked = await searchParams;
  const topic = ALERT_TOPICS.find((one) => one === asked.topic) ?? 'news';
  const before = parsePosition(single(asked.before));
  const { alerts, readUntil, older, attention, days } = await listAlerts(runtime, access, { topic, before });
  const t = translator(locale, 'Alerts');
  const now = runtime.clock();
  const newest = [alerts[0], attention[0]].flatMap((alert) => (alert && alert.at > readUntil ? [alert.at.getTime()] : []));
  const page = path('notifications');
  const waiting = attention.length < UNREAD_MAX ? String(attention.length) : `${UNREAD_MAX - 1}+`;
  return (
    <Shell access={access} locale={locale} section={null}>
      <PageHeader help={<Help text={t('help')} docs="dashboard.md#pages" locale={locale} />} title={t('title')} intro={t('intro')}>
        {newest.length > 0 && before === null && (
          <ActionForm action={markReadAction} hidden={{ until: new Date(Math.max(...newest)).toISOString() }}>
            <SubmitButton look="plain">{t('markRead')}</SubmitButton>
          </ActionForm>
        )}
      </PageHeader>
      <Nav
        look="tabs"
        label={t('topics')}
        items={ALERT_TOPICS.map((one) => ({
          href: one === 'news' ? page : `${page}?topic=${one}`,
          text: t(`topic_${one}`),
          current: one === topic,
          count: one === 'attention' && attention.length > 0 ? waiting : undefined,
        }))}
      />
      <Card>
        {alerts.length === 0 ? (
          <EmptyState
            art={topic === 'news' ? 'empty' : 'done'}
            title={t(topic === 'news' ? 'emptyTitle' : 'calmTitle')}
            text={t(topic === 'news' ? 'emptyText' : 'calmText')}
          />
        ) : (
          <List label={t(`topic_${topic}`)} columns={topic === 'news' ? newsColumns(t) : attentionColumns(t)} widths={WIDTHS[topic]}>
            {byDay(alerts).map((day) => (
              <Fragment key={day[0].id}>
                <ListHeading
                  title={formatDayHeading(day[0].at, now, locale)}
                  sum={topic === 'news' ? daySum(day, days, locale) : undefined}
                />
                {day.map((alert) => (
                  <AlertLine key={alert.id} row={alertRow(alert, { readUntil, now, locale, path })} topic={topic} newText={t('unread')} />
                ))}
              </Fragment>
            ))}
          </List>
        )}
      </Card>
      <Pager
        path={page}
        query={topic === 'news' ? {} : { topic }}
        older={older && formatPosition(older)}
        first={before === null}
        locale={locale}
      />
    </Shell>
  );
}

/** Returns the payments of the day of the shown rows: of the whole day if they are known, otherwise only of the shown rows. */
function daySum(shown: readonly Alert[], days: Awaited<ReturnType<typeof listAlerts>>['days'], locale: Locale): string | undefined {
  const t = translator(locale, 'Alerts');
  const paid = shown.filter(({ kind, amount }) => kind === 'payment' && amount !== null && amount > 0n);
  const [first] = shown;
  if (!days || !first) {
    const amount = formatMoney(paid.reduce((sum, { amount }) => sum + (amount ?? 0n), 0n));
    return paid.length > 0 ? t('shownSum', { count: paid.length, amount }) : undefined;
  }
  const day = days.get(eastAfricanDay(first.at));
  return day && day.payments > 0 ? t('daySum', { count: day.payments, amount: formatMoney(day.collected) }) : undefined;
}

type Texts = (key: 'icon' | 'bill' | 'what' | 'details' | 'amountInShillings' | 'time') => string;

const newsColumns = (t: Texts) => [
  { text: t('icon'), hidden: true },
  { text: t('bill') },
  { text: t('what') },
  { text: t('amountInShillings'), numeric: true },
  { text: t('time'), numeric: true },
];
const attentionColumns = (t: Texts) => [
  { text: t('icon'), hidden: true },
  { text: t('what') },
  { text: t('details') },
  { text: t('time'), numeric: true },
];
const WIDTHS: Readonly<Record<AlertTopic, string>> = {
  news: '[--columns:2rem_minmax(0,3fr)_minmax(0,4fr)_9rem_4rem]',
  attention: '[--columns:2rem_minmax(0,1fr)_minmax(0,1fr)_4rem]',
};

interface AlertLineProps {
  readonly row: AlertRow;
  readonly topic: AlertTopic;
  /** Screen readers read it for an unread notification. */
  readonly newText: string;
}

/** A notification in one row. A payment has a column for its amount. All others have more space for words. */
function AlertLine({ row: { tone, icon, title, detail, short, amount, href, at, unread }, topic, newText }: AlertLineProps) {
  const news = topic === 'news';
  const about = news ? short.text : detail;
  return (
    <Line>
      <LineCell at="lead">
        <LineIcon tone={tone} icon={icon} />
      </LineCell>
      <LineCell at="title">
        <span className="flex items-center gap-2">
          <LineLink href={href} text={news ? short.about : title} whole={!news} />
          {unread && (
            <span className="size-2 shrink-0 rounded-full bg-brand">
              <span className="sr-only">{newText}</span>
            </span>
          )}
        </span>
      </LineCell>
      <LineCell at="below" title={about ?? undefined} className={`text-muted max-md:text-small ${news ? 'truncate' : 'md:truncate'}`}>
        {about}
      </LineCell>
      {news && (
        <LineCell at="end" className="font-semibold">
          {amount}
        </LineCell>
      )}
      <LineCell at={news ? 'endBelow' : 'end'} title={at.exact} className="text-small text-muted md:text-right">
        {at.clock}
      </LineCell>
    </Line>
  );
}
