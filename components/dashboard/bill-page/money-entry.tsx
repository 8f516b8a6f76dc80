import type { ReactNode } from 'react';
import { CopiedText } from '@/components/ui/copied-text';
import type { TimelineEntry } from '@/lib/bills/page/timeline';
import { formatMoney } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';

type Money = Extract<
  TimelineEntry,
  { kind: 'payment' | 'reversalAsked' | 'reversalFailed' | 'unmatched' | 'conflict' | 'contradicted' | 'corrected' }
>;

/** A history line about money: a payment, a reversal, a correction or an unmatched payment. */
export function MoneyEntry({ entry, locale }: { readonly entry: Money; readonly locale: Locale }) {
  const t = translator(locale, 'Bill');
  switch (entry.kind) {
    case 'payment': {
      if (entry.payment.kind === 'correction') return <Correction payment={entry.payment} locale={locale} />;
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
          {allocatedBy !== 'gateway' && <p className="text-sm">{t('allocatedBy', { name: nameOf(allocatedBy) })}</p>}
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
    case 'corrected':
      return (
        <EntryLine title={t('corrected', { from: formatMoney(entry.from), to: formatMoney(entry.to) })}>
          <Receipt number={entry.transactionId} locale={locale} />
          <p>{t('correctedText')}</p>
          <p className="text-sm">{t('why', { name: nameOf(entry.by), text: entry.why })}</p>
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

function Correction({ payment, locale }: { readonly payment: Extract<Money, { kind: 'payment' }>['payment']; readonly locale: Locale }) {
  const t = translator(locale, 'Bill');
  const { amount, transactionId, allocatedBy, reason } = payment;
  return (
    <EntryLine
      title={amount < 0n ? t('correctedLess', { amount: formatMoney(-amount) }) : t('correctedMore', { amount: formatMoney(amount) })}
    >
      <Receipt number={transactionId} locale={locale} />
      <p className="text-sm">{t('why', { name: nameOf(allocatedBy), text: reason ?? '' })}</p>
    </EntryLine>
  );
}

function Receipt({ number, locale }: { readonly number: string; readonly locale: Locale }) {
  const label = translator(locale, 'Bill')('receipt');
  return (
    <p>
      {label}: <CopiedText label={label} text={number} />
    </p>
  );
}

export function EntryLine({ title, badge, children }: Readonly<{ title: string; badge?: ReactNode; children?: ReactNode }>) {
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <strong>{title}</strong>
        {badge}
      </p>
      {children}
    </>
  );
}

/** Returns `asha@example.com` for `user:asha@example.com`. */
export function nameOf(actor: string): string {
  return actor.replace(/^\w+:/, '');
}
