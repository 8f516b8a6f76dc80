import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { DECODE_SECONDS, LOGO_SOURCE_MAX_PIXELS, LOGO_SOURCE_MAX_RATIO, LOGO_SOURCE_MAX_SIDE, type LogoProblem } from './logo-rules';

/** Returns why a picture cannot be used as a logo, as a part of a sentence. */
export function describeLogoProblem(problem: LogoProblem, locale: Locale): string {
  const t = translator(locale, 'LogoProblem');
  if (!('width' in problem)) return t(problem.kind, { seconds: String(DECODE_SECONDS) });
  const { kind, width, height } = problem;
  const size = { width: String(width), height: String(height) };
  if (kind === 'too_many_pixels') return t(kind, { ...size, most: String(LOGO_SOURCE_MAX_PIXELS / 1e6) });
  return t(kind, { ...size, side: LOGO_SOURCE_MAX_SIDE, ratio: LOGO_SOURCE_MAX_RATIO });
}
