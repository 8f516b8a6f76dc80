import { Badge } from '@/components/ui/badge';
import { Fact, Facts } from '@/components/ui/layout';
import { Line, LineCell, LineLink, List } from '@/components/ui/list';
import type { RedeliveryProgress } from '@/lib/gateway/webhooks/redeliver/show-redelivery';
import type { StartedRedelivery } from '@/lib/gateway/webhooks/redeliver/start-redelivery';
import type { RedeliveryState } from '@/lib/gateway/webhooks/redelivery-rules';
import { actorName } from '@/lib/identity/audit/actor-name';
import { formatInstant, formatRecent } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { holdText } from './delivery-list';

/** The progress of a bulk redelivery, and the states of its deliveries. */
export function RunProgress({ run, locale }: { readonly run: RedeliveryProgress; readonly locale: Locale }) {
  const t = translator(locale, 'Hooks');
  const at = (instant: Date) => formatInstant(instant, locale);
  return (
    <>
      <progress
        aria-label={t('progress')}
        value={run.started}
        max={Math.max(1, run.total)}
        className="mb-4 h-3 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-brand [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-brand"
      />
      <Facts>
        <Fact term={t('state')}>
          <RunBadge state={run.state} locale={locale} />
        </Fact>
        <Fact term={t('progress')}>{t('progressValue', { started: run.started, total: run.total })}</Fact>
        <Fact term={t('o_delivered')}>{run.delivered}</Fact>
        <Fact term={t('o_waiting')}>{run.waiting}</Fact>
        <Fact term={t('o_failed')}>{run.failed}</Fact>
        <Fact term={t('o_leftOut')}>{run.leftOut}</Fact>
        <Fact term={t('perSecond')}>{run.perSecond}</Fact>
        <Fact term={t('period')} wide>
          {t('periodValue', { from: at(run.from), to: at(run.to) })}
        </Fact>
        <Fact term={t('asked')} wide>
          {t('askedValue', { at: at(run.createdAt), name: actorName(run.requestedBy, locale) })}
        </Fact>
      </Facts>
    </>
  );
}

const LOOKS = {
  RUNNING: { tone: 'wait', icon: 'retry' },
  COMPLETED: { tone: 'good', icon: 'check' },
  CANCELLED: { tone: 'quiet', icon: 'cross' },
} as const;

function RunBadge({ state, locale }: { readonly state: RedeliveryState; readonly locale: Locale }) {
  return <Badge {...LOOKS[state]} text={translator(locale, 'Hooks')(`runState_${state}`)} />;
}

interface RunListProps {
  readonly runs: readonly RedeliveryProgress[];
  readonly runPath: (id: string) => string;
  readonly now: Date;
  readonly locale: Locale;
}

const WIDTHS = '[--columns:minmax(0,3fr)_minmax(0,4fr)_12rem_5rem_6rem_7rem]';

/** Bulk redeliveries, newest first. */
export function RunList({ runs, runPath, now, locale }: RunListProps) {
  const t = translator(locale, 'Hooks');
  const columns = [
    { text: t('runTitle') },
    { text: t('period') },
    { text: t('state') },
    { text: t('progress'), numeric: true },
    { text: t('o_delivered'), numeric: true },
    { text: t('asked'), numeric: true },
  ];
  return (
    <List label={t('runs')} columns={columns} widths={WIDTHS}>
      {runs.map((run) => (
        <Line key={run.id}>
          <LineCell at="title">
            <LineLink href={runPath(run.id)} text={actorName(run.requestedBy, locale)} />
          </LineCell>
          <LineCell at="third" className="max-md:col-end-4">
            {t('periodValue', { from: formatRecent(run.from, now, locale), to: formatRecent(run.to, now, locale) })}
          </LineCell>
          <LineCell at="below">
            <RunBadge state={run.state} locale={locale} />
          </LineCell>
          <LineCell at="wide" numeric>
            {run.started}
          </LineCell>
          <LineCell at="end" className="font-semibold">
            {t('progressValue', { started: run.delivered, total: run.total })}
          </LineCell>
          <LineCell at="endBelow" numeric title={formatInstant(run.createdAt, locale)}>
            {formatRecent(run.createdAt, now, locale)}
          </LineCell>
        </Line>
      ))}
    </List>
  );
}

/** Returns the result of a bulk redelivery's dry run, which only counts deliveries, as texts. */
export function countsText({ total, counts, hold }: Pick<StartedRedelivery, 'total' | 'counts' | 'hold'>, locale: Locale) {
  const t = translator(locale, 'Hooks');
  const at = (instant: Date) => formatInstant(instant, locale);
  const lines = counts.map(({ state, count, first, last }) =>
    t('countedLine', { state: t(`st_${state}`), count, first: at(first), last: at(last) }),
  );
  return { total, lines, hold: hold && holdText(hold, locale) };
}
