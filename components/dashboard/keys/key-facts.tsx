import { KeyBadge } from '@/components/dashboard/badges';
import { Card } from '@/components/ui/card';
import { Fact, Facts } from '@/components/ui/facts';
import { formatInstant, formatMoney } from '@/lib/i18n/format';
import { type Locale, translator } from '@/lib/i18n/translator';
import type { ShownKey } from '@/lib/keys/show-key';

/** The data and the permissions of a key. */
export function KeyFacts({ shown, locale }: { readonly shown: ShownKey; readonly locale: Locale }) {
  const t = translator(locale, 'KeyPage');
  const at = (instant: Date) => formatInstant(instant, locale);
  const { id, state, createdAt, createdBy, expiresAt, lastUsedAt, lastAddress, lastRoute, networks, billMax, dayMax, billedToday } = shown;
  return (
    <Card id="facts" title={t('facts')}>
      <Facts>
        <Fact term={t('id')}>
          <code className="text-sm">{id}</code>
        </Fact>
        <Fact term={t('state')}>
          <KeyBadge state={state} locale={locale} />
        </Fact>
        <Fact term={t('created')}>{t('by', { time: at(createdAt), name: createdBy })}</Fact>
        <Fact term={t('ends')}>{expiresAt ? at(expiresAt) : t('noEnd')}</Fact>
        <Fact term={t('lastUsed')}>
          {lastUsedAt ? `${at(lastUsedAt)} ${t('lastUsedFrom', { address: lastAddress ?? t('unknownAddress') })}` : t('never')}
        </Fact>
        {lastRoute && (
          <Fact term={t('route')}>
            <code className="text-sm">{lastRoute}</code>
          </Fact>
        )}
        <Fact term={t('from')}>{networks.length === 0 ? t('anywhere') : networks.join(', ')}</Fact>
        <Fact term={t('billLimit')}>{billMax === null ? t('noLimit') : formatMoney(billMax)}</Fact>
        <Fact term={t('dayLimit')}>
          {dayMax === null ? t('noLimit') : formatMoney(dayMax)}
          {billedToday !== null && (
            <span className="block text-sm text-muted">{t('billedToday', { amount: formatMoney(billedToday) })}</span>
          )}
        </Fact>
      </Facts>
    </Card>
  );
}
