import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import type { Break } from './verify-chain';

/** Returns one sentence that says what is wrong with a chain. */
export function describeBreak(broken: Break, locale: Locale): string {
  const t = translator(locale, 'AuditChain');
  switch (broken.kind) {
    case 'changed':
    case 'inserted':
      return t(broken.kind, { number: broken.number.toString(), id: broken.id });
    case 'missing': {
      const [from, to] = [broken.from.toString(), broken.to.toString()];
      return from === to ? t('missing_one', { from }) : t('missing', { from, to });
    }
    case 'head_missing':
      return t('head_missing', { last: broken.last.toString() });
    case 'rewritten':
    case 'kept_differs':
      return t(broken.kind, { number: broken.number.toString() });
    case 'cut':
      return t('cut', { kept: broken.kept.toString(), last: broken.last.toString() });
    case 'head_forged':
    case 'kept_foreign':
      return t(broken.kind);
  }
}
