import { type PageProps, single, titled } from '@/app/page-props';
import { ResultNotice } from '@/components/dashboard/result-notice';
import { DelayCard } from '@/components/dashboard/sandbox/delay-card';
import { PhonesCard } from '@/components/dashboard/sandbox/phones-card';
import { TimeCard } from '@/components/dashboard/sandbox/time-card';
import { TimeResult } from '@/components/dashboard/sandbox/time-result';
import { NotAllowed } from '@/components/dashboard/shell/not-allowed';
import { Shell } from '@/components/dashboard/shell/shell';
import { Card, EmptyState, PageHeader } from '@/components/ui/layout';
import { may } from '@/lib/accounts/access/grant-access';
import { translator } from '@/lib/i18n/translator';
import { linkPhones } from '@/lib/phones/phone-links';
import { showTime } from '@/lib/sandbox/upcoming';
import { openVisit } from '@/lib/server/visit';
import { advanceAction, advanceToNextAction, changeDelayAction, endLinksAction } from './actions';

const REFUSALS = ['nothing_waits', 'not_allowed', 'second_factor_due'] as const;

export const generateMetadata = titled('SandboxTime', 'page');

/** The page from which a member opens the test phones of the sandbox and controls its time. */
export default async function PhonesPage({ params, searchParams }: PageProps) {
  const { runtime, access, locale, place } = await openVisit(await params, 'phones');
  const linked = await linkPhones(runtime, access);
  if (!linked.ok && linked.error !== 'live') return <NotAllowed access={access} permission="bills.create" locale={locale} />;
  const t = translator(locale, 'SandboxTime');
  const phones = translator(locale, 'PhoneCard');
  const query = await searchParams;
  const refusal = REFUSALS.find((one) => one === single(query.result));
  const time = linked.ok && may(access, 'bills.change') ? await showTime(runtime, access) : null;
  return (
    <Shell access={access} locale={locale} section={null}>
      <PageHeader title={t('page')} />
      {linked.ok ? (
        <>
          {single(query.ended) !== null && <ResultNotice text={phones('ended')} />}
          {refusal && <ResultNotice text={t(refusal)} good={false} />}
          {time?.ok && (
            <>
              <TimeResult moved={single(query.moved)} locale={locale} />
              {single(query.result) === 'delays' && <ResultNotice text={t('delaysSaved', { percent: time.value.delayPercent })} />}
            </>
          )}
          <PhonesCard url={linked.value} end={may(access, 'bills.change') ? endLinksAction : null} place={place} locale={locale} />
          {time?.ok && (
            <>
              <TimeCard upcoming={time.value.upcoming} toNext={advanceToNextAction} advance={advanceAction} place={place} locale={locale} />
              <DelayCard percent={time.value.delayPercent} action={changeDelayAction} place={place} locale={locale} />
            </>
          )}
        </>
      ) : (
        <Card>
          <EmptyState title={t('page')} text={phones('live')} />
        </Card>
      )}
    </Shell>
  );
}
