import { Fragment } from 'react';
import { Fold } from '@/components/ui/fold';
import { TextLink } from '@/components/ui/links';
import { Cell, Row, Table } from '@/components/ui/table';
import { actorName } from '@/lib/audit/actor-name';
import { billOf, describeAction, describeData, type Fact } from '@/lib/audit/describe-entry';
import type { EntryView } from '@/lib/audit/log/list-entries';
import { isUuid } from '@/lib/core/ids';
import { formatExactInstant } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';

/** Details with more characters are folded. */
const LONG = 140;

interface EntryTableProps {
  readonly entries: readonly EntryView[];
  /** The id of the merchant. An entry about the merchant itself is shown without a subject. */
  readonly merchantId: string;
  readonly billPath: (id: string) => string;
  readonly locale: Locale;
}

export function EntryTable({ entries, locale, ...about }: EntryTableProps) {
  const t = translator(locale, 'Audit');
  const columns = [
    { text: t('when'), width: 'md:w-50' },
    { text: t('by'), width: 'md:w-44 xl:w-56' },
    { text: t('action'), width: 'md:w-40 xl:w-56' },
    t('details'),
  ];
  return (
    <Table caption={t('entries')} columns={columns}>
      {entries.map((entry) => (
        <Row key={entry.id}>
          <Cell label={t('when')} whole value={formatExactInstant(entry.at, locale)} />
          <Cell label={t('by')}>
            <span className="block">
              <WrappedText text={actorName(entry.actor, locale)} />
            </span>
            {entry.address && <span className="block text-sm text-muted">{t('address', { address: entry.address })}</span>}
          </Cell>
          <Cell>
            <strong className="block">{describeAction(entry.action, locale)}</strong>
          </Cell>
          <Cell>
            <Details entry={entry} locale={locale} {...about} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

function Details({ entry, merchantId, billPath, locale }: Omit<EntryTableProps, 'entries'> & { readonly entry: EntryView }) {
  const t = translator(locale, 'Audit');
  const facts = describeData(entry.data, locale);
  const long = facts.map(({ name, before, after }) => name + (before ?? '') + after).join('').length > LONG;
  const bill = billOf(entry);
  return (
    <>
      {long ? (
        <Fold title={t('changes', { count: facts.length })}>
          <FactList facts={facts} locale={locale} />
        </Fold>
      ) : (
        facts.length > 0 && <FactList facts={facts} locale={locale} />
      )}
      {bill !== null && (
        <TextLink href={billPath(bill)} className="block">
          {t('toBill')}
        </TextLink>
      )}
      {entry.subject !== merchantId && !isUuid(entry.subject) && (
        <p className="text-sm text-muted">
          <WrappedText text={t('subject', { subject: entry.subject })} />
        </p>
      )}
      <Fold title={<span className="text-sm">{t('more')}</span>} about={describeAction(entry.action, locale)} className="md:-my-1.5">
        <p className="text-sm text-muted">
          <code className="block">{entry.action}</code>
          {positionText(entry, locale)}
        </p>
      </Fold>
    </>
  );
}

function FactList({ facts, locale }: { readonly facts: readonly Fact[]; readonly locale: Locale }) {
  const t = translator(locale, 'Audit');
  return (
    <ul>
      {facts.map(({ name, before, after }) => (
        <li key={name}>
          <span className="text-muted">{name}:</span> <WrappedText text={after} />
          {before !== null && (
            <span className="text-muted">
              {' '}
              (<WrappedText text={t('was', { before })} />)
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

function positionText({ sealed, number }: EntryView, locale: Locale): string {
  const t = translator(locale, 'Audit');
  if (!sealed) return t('unsealed');
  return number === null ? t('sealedElsewhere') : t('sealed', { number: number.toString() });
}

/** Matches where an e-mail address may wrap: after the @ and before a dot. */
const BREAKS = /(?<=@)|(?<=@\S*)(?=\.\S)/;

/** A text whose e-mail addresses wrap only after the @ and before dots. */
function WrappedText({ text }: { readonly text: string }) {
  const parts: string[] = text.split(BREAKS);
  return (
    <span className="wrap-break-word">
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no id and never change their order.
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </span>
  );
}
