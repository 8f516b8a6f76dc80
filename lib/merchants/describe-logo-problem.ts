import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { DECODE_SECONDS, LOGO_SOURCE_MAX_PIXELS, type LogoProblem } from './logo-rules';

/** Returns why a picture cannot be used as a logo, as a part of a sentence. */
export function describeLogoProblem(problem: LogoProblem, locale: Locale): string {
  const t = translator(locale, 'LogoProblem');
  if (problem.kind !== 'too_many_pixels') return t(problem.kind, { seconds: String(DECODE_SECONDS) });
  const { width, height } = problem;
  return t('too_many_pixels', { width: String(width), height: String(height), most: String(LOGO_SOURCE_MAX_PIXELS / 1e6) });
}
