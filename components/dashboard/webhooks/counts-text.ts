import { formatInstant } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import type { StartedRedelivery } from '@/lib/webhooks/redeliver/start-redelivery';
import { holdText } from './hold-notice';
import type { RedeliveryFormState } from './redelivery-form';

/** Returns the result of a bulk redelivery's dry run, which only counts deliveries, as texts. */
export function countsText(
  { total, counts, hold, hasAddress }: Omit<StartedRedelivery, 'id'>,
  locale: Locale,
): NonNullable<RedeliveryFormState['counted']> {
  const t = translator(locale, 'Hooks');
  const at = (instant: Date) => formatInstant(instant, locale);
  const lines = counts.map(({ state, count, first, last }) =>
    t('countedLine', { state: t(`st_${state}`), count, first: at(first), last: at(last) }),
  );
  return { total, lines, hold: hold && holdText(hold, locale), hasAddress };
}
