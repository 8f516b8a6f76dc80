import { TextLink } from '@/components/ui/links';
import { Notice } from '@/components/ui/notice';
import { formatExactInstant } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { type Hold, isStopped } from '@/lib/webhooks/endpoint/hold-rules';

interface HoldNoticeProps {
  readonly hold: Hold;
  /** The page with the Resume button. */
  readonly endpointPath: string;
  readonly locale: Locale;
}

/** Says why deliveries are delayed. If a person must resume the endpoint, also links to the page with the Resume button. */
export function HoldNotice({ hold, endpointPath, locale }: HoldNoticeProps) {
  const t = translator(locale, 'Hooks');
  return (
    <Notice tone="wait">
      <p>{holdText(hold, locale)}</p>
      {isStopped(hold) && (
        <p className="mt-1">
          <TextLink href={endpointPath}>{t('toEndpoint', { tab: t('tab_endpoint') })}</TextLink>
        </p>
      )}
    </Notice>
  );
}

/** Returns why deliveries are delayed. If a person must resume the endpoint, also names the Resume button. */
export function holdText(hold: Hold, locale: Locale): string {
  const t = translator(locale, 'Hooks');
  if (!isStopped(hold))
    return hold.until === null ? t('held_probing') : t(`held_${hold.kind}`, { at: formatExactInstant(hold.until, locale) });
  const reason = hold.kind === 'paused' ? 'paused' : hold.reason === 'gone' ? 'gone' : 'week';
  const why = t(`stopped_${reason}`, { at: formatExactInstant(hold.since, locale) });
  return `${why} ${t('untilResumed', { tab: t('tab_endpoint'), button: t('resume') })}`;
}
