import { formatInstant } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import type { Finding } from './finding';

/** Describes a finding in a sentence: what differs, and what to do about it. */
export function describeFinding(locale: Locale, { code, data }: Finding): string {
  const t = translator(locale, 'SignatureFinding');
  return t(code, 'until' in data ? { until: formatInstant(new Date(data.until), locale) } : { ...data });
}
