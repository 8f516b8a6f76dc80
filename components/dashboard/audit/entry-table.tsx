import { Cell, Row, Table } from '@/components/ui/table';
import { describeAction, describeData } from '@/lib/audit/describe-entry';
import type { EntryView } from '@/lib/audit/list-entries';
import { formatExactInstant } from '@/lib/i18n/format';
import { type Locale, translator } from '@/lib/i18n/translator';
import { actorName } from './actor-name';

/** Who did what, when, from where, and what it changed. */
export function EntryTable({ entries, locale }: { readonly entries: readonly EntryView[]; readonly locale: Locale }) {
  const t = translator(locale, 'Audit');
  return (
    <Table caption={t('entries')} columns={[t('when'), t('by'), t('action'), t('details')]}>
      {entries.map((entry) => (
        <Row key={entry.id}>
          <Cell label={t('when')} whole>
            {formatExactInstant(entry.at, locale)}
          </Cell>
          <Cell label={t('by')}>
            {actorName(entry.actor, locale)}
            {entry.address && <span className="block text-sm text-muted">{t('address', { address: entry.address })}</span>}
          </Cell>
          <Cell>
            <strong>{describeAction(entry.action, locale)}</strong>
            <code className="block text-sm text-muted">{entry.action}</code>
          </Cell>
          <Cell>
            <Details entry={entry} locale={locale} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

function Details({ entry, locale }: { readonly entry: EntryView; readonly locale: Locale }) {
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
        {t('subject', { subject: entry.subject })}
        <span className="block">{entry.number === null ? t('unsealed') : t('sealed', { number: entry.number.toString() })}</span>
      </p>
    </>
  );
}
