import { Card } from '@/components/ui/card';
import { Fold } from '@/components/ui/fold';
import { Cell, Row, Table } from '@/components/ui/table';
import { formatDay, formatMoney } from '@/lib/i18n/format';
import { type Locale, translator } from '@/lib/i18n/translator';
import type { ShownKey } from '@/lib/keys/show-key';

/** The number of uses per day, as bars and as a table. */
export function KeyDays({ shown, locale }: { readonly shown: Pick<ShownKey, 'days' | 'dayMax'>; readonly locale: Locale }) {
  const t = translator(locale, 'KeyPage');
  const { days, dayMax } = shown;
  const most = Math.max(...days.map(({ uses }) => uses));
  const named = (day: string) => formatDay(new Date(`${day}T09:00:00Z`), locale);
  return (
    <Card id="uses" title={t('uses')}>
      <p className="mb-3 text-sm text-muted">{most === 0 ? t('usesNone') : t('usesText')}</p>
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
          <Fold title={t('asTable')} className="mt-2">
            <Table caption={t('uses')} columns={[t('day'), t('count'), ...(dayMax === null ? [] : [t('billed')])]}>
              {days.toReversed().map(({ day, uses, billed }) => (
                <Row key={day}>
                  <Cell>{named(day)}</Cell>
                  <Cell label={t('count')}>{uses}</Cell>
                  {dayMax !== null && <Cell label={t('billed')}>{formatMoney(billed)}</Cell>}
                </Row>
              ))}
            </Table>
          </Fold>
        </>
      )}
    </Card>
  );
}
