import { Cell, Row, Table } from '@/components/ui/table';
import { actorName } from '@/lib/audit/actor-name';
import { describeAction, describeData } from '@/lib/audit/describe-entry';
import type { EntryView } from '@/lib/audit/list-entries';
import { formatExactInstant } from '@/lib/i18n/format';
import { type Locale, translator } from '@/lib/i18n/translator';

interface EntryTableProps {
  readonly entries: readonly EntryView[];
  /** What is about the merchant itself names nothing else. */
  readonly merchantId: string;
  readonly locale: Locale;
}

/** Who did what, when, from where, and what it changed. */
export function EntryTable({ entries, merchantId, locale }: EntryTableProps) {
  const t = translator(locale, 'Audit');
  return (
    <Table caption={t('entries')} columns={[t('when'), t('by'), t('action'), t('details')]}>
      {entries.map((entry) => (
        <Row key={entry.id}>
          <Cell label={t('when')} whole>
            {formatExactInstant(entry.at, locale)}
          </Cell>
          <Cell label={t('by')}>
            <span className="block md:min-w-44">{actorName(entry.actor, locale)}</span>
            {entry.address && <span className="block text-sm text-muted">{t('address', { address: entry.address })}</span>}
          </Cell>
          <Cell>
            <strong>{describeAction(entry.action, locale)}</strong>
            <code className="block text-sm text-muted">{entry.action}</code>
          </Cell>
          <Cell>
            <Details entry={entry} merchantId={merchantId} locale={locale} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

function Details({ entry, merchantId, locale }: Omit<EntryTableProps, 'entries'> & { readonly entry: EntryView }) {
  const t = translator(locale, 'Audit');
  const facts = describeData(entry.data, locale);
  return (
    <>
      {facts.length > 0 && (
        <ul>
          {facts.map(({ name, before, after }) => (
            <li key={name}>
              <span className="text-muted">{name}:</span> {after}
              {before !== null && <span className="text-muted"> ({t('was', { before })})</span>}
            </li>
          ))}
        </ul>
      )}
      <p className="text-sm text-muted">
        {entry.subject !== merchantId && <span className="block">{t('subject', { subject: entry.subject })}</span>}
        {placeOf(entry, locale)}
      </p>
    </>
  );
}

function placeOf({ sealed, number }: EntryView, locale: Locale): string {
  const t = translator(locale, 'Audit');
  if (!sealed) return t('unsealed');
  return number === null ? t('sealedElsewhere') : t('sealed', { number: number.toString() });
}
