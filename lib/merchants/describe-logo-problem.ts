import { type Locale, translator } from '@/lib/i18n/translator';
import { DECODE_SECONDS, LOGO_SOURCE_MAX_PIXELS, type LogoProblem } from './logo-rules';

/** @returns why a picture cannot be the logo, to go into a sentence. */
export function describeLogoProblem(problem: LogoProblem, locale: Locale): string {
  const t = translator(locale, 'LogoProblem');
  if (problem.kind !== 'too_many_pixels') return t(problem.kind, { seconds: String(DECODE_SECONDS) });
  const { width, height } = problem;
  return t('too_many_pixels', { width: String(width), height: String(height), most: String(LOGO_SOURCE_MAX_PIXELS / 1e6) });
}
