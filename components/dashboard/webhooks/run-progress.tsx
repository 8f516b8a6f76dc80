import { Badge } from '@/components/ui/badge';
import { Fact, Facts } from '@/components/ui/facts';
import { actorName } from '@/lib/audit/actor-name';
import { formatInstant } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import type { RedeliveryProgress } from '@/lib/webhooks/redeliver/show-redelivery';
import type { RedeliveryState } from '@/lib/webhooks/redelivery-rules';

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
        <Fact term={t('period')}>{t('periodValue', { from: at(run.from), to: at(run.to) })}</Fact>
        <Fact term={t('asked')}>{t('askedValue', { at: at(run.createdAt), name: actorName(run.requestedBy, locale) })}</Fact>
      </Facts>
    </>
  );
}

const LOOKS = {
  RUNNING: { tone: 'wait', icon: 'retry' },
  COMPLETED: { tone: 'good', icon: 'check' },
  CANCELLED: { tone: 'quiet', icon: 'cross' },
} as const;

export function RunBadge({ state, locale }: { readonly state: RedeliveryState; readonly locale: Locale }) {
  return <Badge {...LOOKS[state]} text={translator(locale, 'Hooks')(`runState_${state}`)} />;
}
