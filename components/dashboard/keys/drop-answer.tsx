import { Card } from '@/components/ui/layout';
import { TextLink } from '@/components/ui/links';
import { Notice } from '@/components/ui/notice';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/core/clock';
import { formatInstant } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import type { ShownKey } from '@/lib/keys/show-keys';

interface DropAnswerProps {
  readonly drop: NonNullable<ShownKey['drop']>;
  readonly shownId: string;
  readonly keyPath: (id: string) => string;
  readonly now: Date;
  readonly locale: Locale;
}

const TONES = { in_use: 'bad', successor_unused: 'wait', quiet: 'wait', safe: 'good' } as const;

/** Shows whether a rolled key can be revoked, and the usage on which the answer is based. */
export function DropAnswer({ drop, shownId, keyPath, now, locale }: DropAnswerProps) {
  const t = translator(locale, 'KeyPage');
  const { answer, old, successor, newUses: count } = drop;
  const used = old.lastUsedAt;
  const facts = {
    ago: used ? agoText(used, now, locale) : '',
    since: used ? formatInstant(used, locale) : '',
    address: old.lastAddress ?? t('unknownAddress'),
    route: old.lastRoute ?? '',
    count,
  };
  const never = used === null && (answer === 'quiet' || answer === 'safe');
  const other = shownId === old.id ? { href: keyPath(successor.id), text: t('toNew') } : { href: keyPath(old.id), text: t('toOld') };
  return (
    <Card id="drop" title={t('dropTitle')}>
      <Notice tone={TONES[answer]}>
        <p className="font-semibold">{t(never ? `drop_${answer === 'safe' ? 'safe' : 'quiet'}_never` : `drop_${answer}`, facts)}</p>
        <p>{old.expiresAt ? t('dropEnds', { until: formatInstant(old.expiresAt, locale) }) : t('dropOpen')}</p>
      </Notice>
      <p className="mt-3 text-sm text-muted">{t('dropBasis', { since: formatInstant(successor.createdAt, locale) })}</p>
      <p className="mt-3">
        <TextLink href={other.href}>{other.text}</TextLink>
      </p>
    </Card>
  );
}

/** Returns `4 minutes`, `3 hours` or `2 days`. */
function agoText(instant: Date, now: Date, locale: Locale): string {
  const t = translator(locale, 'KeyPage');
  const ms = Math.max(0, now.getTime() - instant.getTime());
  if (ms < HOUR_MS) return t('ago_minutes', { count: Math.floor(ms / MINUTE_MS) });
  if (ms < 2 * DAY_MS) return t('ago_hours', { count: Math.floor(ms / HOUR_MS) });
  return t('ago_days', { count: Math.floor(ms / DAY_MS) });
}
