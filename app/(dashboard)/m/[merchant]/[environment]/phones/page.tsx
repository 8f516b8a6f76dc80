import { type PageProps, single, titled } from '@/app/page-props';
import { ResultNotice } from '@/components/dashboard/result-notice';
import { NotAllowed, Shell } from '@/components/dashboard/shell/shell';
import { buttonClass } from '@/components/ui/button';
import { CopiedValue } from '@/components/ui/copied-value';
import { ActionForm, SubmitButton } from '@/components/ui/forms/action-form';
import { Select } from '@/components/ui/forms/fields';
import { Card, EmptyState, PageHeader } from '@/components/ui/layout';
import { linkPhones } from '@/lib/backoffice/phones/phone-link';
import { openVisit } from '@/lib/entry/server/visit';
import { may } from '@/lib/identity/accounts/access/grant-access';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { type SandboxTimeView, showTime, UPCOMING_KINDS } from '@/lib/providers/scenarios/control-time';
import { ADVANCE_CHOICES, DELAY_PERCENTS } from '@/lib/providers/scenarios/time-schema';
import { advanceAction, advanceToNextAction, changeDelayAction, endLinksAction } from './actions';

const REFUSALS = ['nothing_waits', 'not_allowed', 'second_factor_due'] as const;

export const generateMetadata = titled('SandboxTime', 'page');

/** The page from which a member opens the test phones of the sandbox and controls its time. */
export default async function PhonesPage({ params, searchParams }: PageProps) {
  const { runtime, access, locale } = await openVisit(await params, 'phones');
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
          <PhonesCard url={linked.value} mayEnd={may(access, 'bills.change')} locale={locale} />
          {time?.ok && (
            <>
              <TimeCard upcoming={time.value.upcoming} locale={locale} />
              <DelayCard percent={time.value.delayPercent} locale={locale} />
            </>
          )}
        </>
      ) : (
        <Card>
          <EmptyState art="phone" title={t('page')} text={phones('live')} />
        </Card>
      )}
    </Shell>
  );
}

/**
 * Shows when the next step of each kind comes in the sandbox (an answer of a simulated phone, a webhook, an expiry, a due date). Its forms
 * make everything that is still to come happen earlier.
 */
function TimeCard({ upcoming, locale }: { readonly upcoming: SandboxTimeView['upcoming']; readonly locale: Locale }) {
  const t = translator(locale, 'SandboxTime');
  return (
    <Card id="time" title={t('title')}>
      <p className="mb-2 max-w-prose">{t('text')}</p>
      <ActionForm action={advanceToNextAction} className="grid grid-cols-[minmax(0,1fr)]">
        <ul>
          {UPCOMING_KINDS.map((kind) => (
            <li key={kind} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line py-3 sm:flex-nowrap">
              <div className="min-w-0">
                <strong className="block">{t(kind)}</strong>
                <span className="text-small text-muted">{t(`${kind}Text`)}</span>
              </div>
              {upcoming[kind] === null ? (
                <span className="text-muted max-sm:basis-full sm:shrink-0">{t('nothing')}</span>
              ) : (
                <div className="flex flex-col gap-x-4 gap-y-2 max-sm:basis-full sm:shrink-0 sm:flex-row sm:items-center">
                  <span>{t('inSpan', { span: spanText(upcoming[kind], locale) })}</span>
                  <SubmitButton look="plain" name="upcoming" value={kind} aria-label={t('forwardNamed', { what: t(kind) })}>
                    {t('forward')}
                  </SubmitButton>
                </div>
              )}
            </li>
          ))}
        </ul>
      </ActionForm>
      <ActionForm action={advanceAction} className="mt-4 flex flex-wrap items-end gap-3">
        <div className="flex-1 basis-64 sm:max-w-80">
          <Select
            id="seconds"
            label={t('all')}
            options={ADVANCE_CHOICES.map((seconds) => ({ value: String(seconds), text: spanText(seconds, locale) }))}
          />
        </div>
        <SubmitButton className="">{t('forward')}</SubmitButton>
      </ActionForm>
    </Card>
  );
}

/** The delays that apply in the sandbox, and the form that changes them. */
function DelayCard({ percent, locale }: { readonly percent: number; readonly locale: Locale }) {
  const t = translator(locale, 'SandboxTime');
  return (
    <Card id="delays" title={t('delays')} action={<p className="font-semibold">{t('now', { percent })}</p>}>
      <p className="mb-4 max-w-prose">{t('delaysText')}</p>
      <ActionForm key={percent} action={changeDelayAction} className="flex flex-wrap items-end gap-3">
        <div className="flex-1 basis-64 sm:max-w-80">
          <Select
            id="percent"
            label={t('percent')}
            defaultValue={String(percent)}
            options={[...DELAY_PERCENTS].reverse().map((one) => ({ value: String(one), text: t(`percent_${one}`) }))}
          />
        </div>
        <SubmitButton className="">{t('save')}</SubmitButton>
      </ActionForm>
    </Card>
  );
}

/** The link to the test phones of the sandbox. */
function PhonesCard({ url, mayEnd, locale }: { readonly url: string; readonly mayEnd: boolean; readonly locale: Locale }) {
  const t = translator(locale, 'PhoneCard');
  return (
    <Card id="phones" title={t('title')}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <p className="max-w-prose">{t('text')}</p>
        <a href={url} target="_blank" rel="noreferrer" className={`justify-self-start ${buttonClass('primary')}`}>
          {t('open')}
        </a>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
          <p className="text-muted">{t('share')}</p>
          <CopiedValue label={t('link')} value={url} />
        </div>
        {mayEnd && (
          <ActionForm action={endLinksAction} className="grid">
            <SubmitButton look="plain">{t('end')}</SubmitButton>
          </ActionForm>
        )}
      </div>
    </Card>
  );
}

const UNITS = [
  { unit: 'days', seconds: 86_400 },
  { unit: 'hours', seconds: 3_600 },
  { unit: 'minutes', seconds: 60 },
  { unit: 'seconds', seconds: 1 },
] as const;

/** Returns a time span in words, with its two largest units: `42 seconds`, `3 days 4 hours`. @param seconds at least 1 */
function spanText(seconds: number, locale: Locale): string {
  const t = translator(locale, 'SandboxTime');
  const first = UNITS.findIndex((one) => seconds >= one.seconds);
  let rest = seconds;
  const parts = UNITS.slice(first, first + 2).map((one) => {
    const count = Math.floor(rest / one.seconds);
    rest -= count * one.seconds;
    return count === 0 ? null : t(one.unit, { count });
  });
  return parts.filter((part) => part !== null).join(' ');
}

const MOVED = /^([1-9]\d{0,7})\.(\d{1,9})\.(\d{1,9})\.(\d{1,9})$/;

/** Says what was moved to an earlier time in the sandbox. Shows nothing if the parameter `moved` was not created by `movedText`. */
function TimeResult({ moved, locale }: { readonly moved: string | null; readonly locale: Locale }) {
  const [seconds, bills, requests, webhooks] =
    MOVED.exec(moved ?? '')
      ?.slice(1)
      .map(Number) ?? [];
  if (seconds === undefined || bills === undefined || requests === undefined || webhooks === undefined) return null;
  const t = translator(locale, 'SandboxTime');
  const span = spanText(seconds, locale);
  const counts = [
    bills > 0 ? t('movedBills', { count: bills }) : null,
    requests > 0 ? t('movedRequests', { count: requests }) : null,
    webhooks > 0 ? t('movedWebhooks', { count: webhooks }) : null,
  ].filter((text) => text !== null);
  if (counts.length === 0) return <ResultNotice text={t('nothingMoved', { span })} good={false} />;
  return (
    <ResultNotice text={t('advanced', { span })}>
      <p>{t('moved', { list: new Intl.ListFormat(locale).format(counts) })}</p>
    </ResultNotice>
  );
}
