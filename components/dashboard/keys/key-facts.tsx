import { CopiedText } from '@/components/ui/copied-text';
import { Fact, Facts } from '@/components/ui/facts';
import { Fold } from '@/components/ui/fold';
import { Card } from '@/components/ui/layout';
import { Cell, Row, Table } from '@/components/ui/table';
import { formatDay, formatInstant, formatMoney } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import type { ShownKey } from '@/lib/keys/show-keys';
import { KeyBadge } from '../badges';

export function KeyFacts({ shown, locale }: { readonly shown: ShownKey; readonly locale: Locale }) {
  const t = translator(locale, 'KeyPage');
  const at = (instant: Date) => formatInstant(instant, locale);
  const scopeName = translator(locale, 'KeyScopes');
  const { id, state, createdAt, createdBy, expiresAt, lastUsedAt, lastAddress, lastRoute, networks, billMax, dayMax, billedToday } = shown;
  return (
    <Card id="facts" title={t('facts')}>
      <Facts>
        <Fact term={t('id')}>
          <CopiedText label={t('id')} text={id} />
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
        <Fact term={scopeName('title')}>{shown.scopes.map((scope) => scopeName(scope)).join(', ')}</Fact>
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

/** The number of uses per day, as bars and as a table. */
export function KeyDays({ shown, locale }: { readonly shown: Pick<ShownKey, 'days' | 'dayMax'>; readonly locale: Locale }) {
  const t = translator(locale, 'KeyPage');
  const { days, dayMax } = shown;
  const most = Math.max(...days.map(({ uses }) => uses));
  const best = days.findLast(({ uses }) => uses === most);
  const named = (day: string) => formatDay(new Date(`${day}T09:00:00Z`), locale);
  return (
    <Card id="uses" title={t('uses')}>
      <p className="mb-3 text-sm text-muted">
        {best && best.uses > 0 ? `${t('usesMost', { count: best.uses, day: named(best.day) })} ${t('usesText')}` : t('usesNone')}
      </p>
      {most > 0 && (
        <>
          <div aria-hidden="true" className="flex h-20 items-end gap-1 border-b border-line">
            {days.map(({ day, uses }) => (
              <div
                key={day}
                className="min-w-1 flex-1 rounded-t bg-brand"
                style={{ height: `${uses === 0 ? 0 : Math.max(4, (uses / most) * 100)}%` }}
              />
            ))}
          </div>
          <div aria-hidden="true" className="mt-1 flex justify-between text-small text-muted">
            {[days.at(0), days.at(-1)].map((end) => end && <span key={end.day}>{named(end.day)}</span>)}
          </div>
          <Fold title={t('asTable')} className="mt-2">
            <Table
              caption={t('uses')}
              columns={[t('day'), ...[t('count'), ...(dayMax === null ? [] : [t('billed')])].map((text) => ({ text, numeric: true }))]}
            >
              {days.toReversed().map(({ day, uses, billed }) => (
                <Row key={day}>
                  <Cell>{named(day)}</Cell>
                  <Cell label={t('count')} numeric value={uses} />
                  {dayMax !== null && <Cell label={t('billed')} numeric value={formatMoney(billed)} />}
                </Row>
              ))}
            </Table>
          </Fold>
        </>
      )}
    </Card>
  );
}
