import { TextLink } from '@/components/ui/links';
import { Notice } from '@/components/ui/notice';
import { type Locale, translator } from '@/lib/i18n/translator';
import { type Hold, isStopped } from '@/lib/webhooks/endpoint/hold-rules';
import { holdText } from './hold-text';

interface HoldNoticeProps {
  readonly hold: Hold;
  /** The page with the Resume button. */
  readonly endpointPath: string;
  readonly locale: Locale;
}

/** Says why deliveries are delayed, with a link to the button if a person must act. */
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
