import { Notice } from '@/components/ui/notice';
import { formatExactInstant } from '@/lib/i18n/format';
import { type Locale, translator } from '@/lib/i18n/translator';
import type { ShownEndpoint } from '@/lib/webhooks/page/show-endpoint';

/** Whether the receiver accepts webhooks. If not: since when, and what happens to the waiting deliveries. */
export function EndpointHealth({ endpoint, locale }: { readonly endpoint: ShownEndpoint; readonly locale: Locale }) {
  const t = translator(locale, 'Webhooks');
  const { status, disabledReason, statusSince, failingSince, failureCount, heldUp, lastSuccessAt, owed } = endpoint;
  const at = (instant: Date) => formatExactInstant(instant, locale);
  const waiting = <p>{t('owed', { count: owed })}</p>;
  if (status !== 'active') {
    const kind = status === 'paused' ? 'paused' : disabledReason === 'gone' ? 'gone' : 'week';
    return (
      <Notice tone={status === 'paused' ? 'wait' : 'bad'} title={t(`${kind}Title`, { since: at(statusSince) })}>
        <p>{t(`${kind}Text`)}</p>
        {waiting}
      </Notice>
    );
  }
  if (failingSince !== null) {
    return (
      <Notice tone="bad" title={t('failingTitle', { since: at(failingSince) })}>
        <p>{t('failingText', { count: failureCount })}</p>
        {waiting}
        {heldUp?.kind === 'breaker' && heldUp.until && <p>{t('nextProbe', { at: at(heldUp.until) })}</p>}
        {heldUp?.kind === 'resting' && <p>{t('resting', { at: at(heldUp.until) })}</p>}
      </Notice>
    );
  }
  return lastSuccessAt && <p className="text-sm text-muted">{t('lastSuccess', { at: at(lastSuccessAt) })}</p>;
}
