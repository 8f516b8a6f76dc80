import { Fact, Facts } from '@/components/ui/facts';
import { TextLink } from '@/components/ui/links';
import { formatExactInstant } from '@/lib/i18n/format';
import { type Locale, translator } from '@/lib/i18n/translator';
import { MAX_PARALLELISM } from '@/lib/webhooks/endpoint/health-rules';
import type { ShownEndpoint } from '@/lib/webhooks/page/show-endpoint';

interface EndpointFactsProps {
  readonly endpoint: ShownEndpoint;
  /** The address of the failed deliveries. */
  readonly failed: string;
  readonly locale: Locale;
}

/** The figures of an endpoint. */
export function EndpointFacts({ endpoint, failed, locale }: EndpointFactsProps) {
  const t = translator(locale, 'Hooks');
  const at = (instant: Date | null) => (instant ? formatExactInstant(instant, locale) : t('never'));
  const { lastSuccessAt, lastFailureAt, parallelism, heldUp, undelivered } = endpoint;
  const { PENDING, SENDING, BLOCKED, EXHAUSTED, UNSENT } = undelivered;
  const pace =
    heldUp?.kind === 'breaker'
      ? heldUp.until
        ? t('breakerOpen', { at: at(heldUp.until) })
        : t('breakerProbing')
      : heldUp?.kind === 'resting'
        ? t('resting', { at: at(heldUp.until) })
        : t('breakerClosed');
  return (
    <>
      <Facts>
        <Fact term={t('lastSuccess')}>{at(lastSuccessAt)}</Fact>
        <Fact term={t('lastFailure')}>{at(lastFailureAt)}</Fact>
        <Fact term={t('waiting')}>{t('waitingValue', { count: PENDING + SENDING })}</Fact>
        <Fact term={t('blocked')}>{t('waitingValue', { count: BLOCKED })}</Fact>
        <Fact term={t('exhausted')}>{t('waitingValue', { count: EXHAUSTED })}</Fact>
        <Fact term={t('unsent')}>{t('waitingValue', { count: UNSENT })}</Fact>
        <Fact term={t('parallelism')}>{t('parallelismValue', { count: parallelism, most: MAX_PARALLELISM })}</Fact>
        {endpoint.status === 'active' && <Fact term={t('breaker')}>{pace}</Fact>}
      </Facts>
      <p className="mt-3">
        <TextLink href={failed}>{t('showFailed')}</TextLink>
      </p>
    </>
  );
}
