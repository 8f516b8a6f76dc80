import type { TimelineEntry } from '@/lib/bills/timeline';
import { formatMoney } from '@/lib/i18n/format';
import { type Locale, translator } from '@/lib/i18n/translator';
import { EntryLine } from './entry-line';

type Money = Extract<TimelineEntry, { kind: 'payment' | 'reversalAsked' | 'reversalFailed' | 'unmatched' | 'conflict' | 'contradicted' }>;

/** Money that came, went back, or belongs to nobody yet. */
export function MoneyEntry({ entry, locale }: { readonly entry: Money; readonly locale: Locale }) {
  const t = translator(locale, 'Bill');
  switch (entry.kind) {
    case 'payment': {
      const { amount, kind, transactionId, mobile, late, amountDiffers, allocatedBy } = entry.payment;
      return (
        <EntryLine title={t(kind, { amount: formatMoney(kind === 'reversal' ? -amount : amount) })}>
          <Receipt number={transactionId} locale={locale} />
          {mobile && (
            <p className="text-sm">
              {t(kind === 'reversal' ? 'backTo' : 'payer')} {mobile}
            </p>
          )}
          {late && <p className="text-sm">{t('late')}</p>}
          {amountDiffers && <p className="text-sm">{t('amountDiffers')}</p>}
          {allocatedBy !== 'gateway' && <p className="text-sm">{t('allocatedBy', { name: allocatedBy.replace(/^\w+:/, '') })}</p>}
        </EntryLine>
      );
    }
    case 'reversalAsked':
    case 'reversalFailed':
      return (
        <EntryLine title={t(entry.kind, { amount: formatMoney(entry.amount) })}>
          <Receipt number={entry.transactionId} locale={locale} />
          {entry.kind === 'reversalAsked' && <p className="text-sm">{entry.why}</p>}
          {entry.kind === 'reversalFailed' && entry.reason && <p>{translator(locale, 'AttemptReason')(entry.reason)}</p>}
        </EntryLine>
      );
    case 'contradicted':
      return (
        <EntryLine title={t('contradicted', { amount: formatMoney(entry.amount) })}>
          <Receipt number={entry.transactionId} locale={locale} />
          <p>{t('contradictedText', { amount: formatMoney(entry.recorded) })}</p>
        </EntryLine>
      );
    case 'unmatched':
    case 'conflict':
      return (
        <EntryLine title={t(entry.kind, { amount: formatMoney(entry.amount) })}>
          <Receipt number={entry.transactionId} locale={locale} />
          <p>{t(`${entry.kind}Text`)}</p>
        </EntryLine>
      );
  }
}

function Receipt({ number, locale }: { readonly number: string; readonly locale: Locale }) {
  return (
    <p>
      {translator(locale, 'Bill')('receipt')}: <strong>{number}</strong>
    </p>
  );
}
