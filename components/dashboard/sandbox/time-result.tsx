import { ResultNotice } from '@/components/dashboard/result-notice';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import type { SandboxTime } from '@/lib/sandbox/time-schema';
import { spanText } from './span-text';

/**
 * Returns the value of the query parameter `moved`: by how many seconds, and how many bills, payment requests and webhooks were moved to an
 * earlier time.
 */
export function movedText(seconds: number, { bills, paymentRequests, webhooks }: SandboxTime['moved']): string {
  return [seconds, bills, paymentRequests, webhooks].join('.');
}

const MOVED = /^([1-9]\d{0,7})\.(\d{1,9})\.(\d{1,9})\.(\d{1,9})$/;

/** Says what was moved to an earlier time in the sandbox. Shows nothing if the parameter `moved` was not created by `movedText`. */
export function TimeResult({ moved, locale }: { readonly moved: string | null; readonly locale: Locale }) {
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
