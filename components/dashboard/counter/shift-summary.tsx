import type { ReactNode } from 'react';
import { Money } from '@/components/ui/money';
import { isNetwork, WALLETS } from '@/lib/core/network';
import { counterState } from '@/lib/counter/counter-rules';
import type { ShiftSummary as Summary } from '@/lib/counter/show-shift';
import { formatAmount, formatClock, formatInstant, formatMoney } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';

interface ShiftSummaryProps {
  readonly summary: Summary;
  readonly merchant: string;
  readonly member: string;
  /** Whether the shift is of the sandbox. Its printed summary must not look like money that was received. */
  readonly test: boolean;
  readonly locale: Locale;
  /** When the summary was made. The summary shows this time, because the states of bills may change later. */
  readonly now: Date;
}

/** The summary of a shift for printing, on A4 and on a roll of 80 mm: one column that fits both. */
export function ShiftSummary({ summary: { shift, sum, networks, entries }, merchant, member, test, locale, now }: ShiftSummaryProps) {
  const t = translator(locale, 'Shift');
  const counter = translator(locale, 'Counter');
  const until = shift.closedAt ? formatInstant(shift.closedAt, locale) : t('open');
  return (
    <article className="grid gap-4 rounded-xl border border-line bg-surface p-4 sm:p-6 print:gap-2 print:border-0 print:p-0">
      {test && <p className="rounded-lg border border-amber bg-amber-soft px-3 py-2 font-semibold text-amber-ink">{t('test')}</p>}
      <header>
        <p className="text-title print:text-heading">{merchant}</p>
        <p className="text-muted">
          {member} · {t('shift', { code: shift.code })}
        </p>
        <p className="text-small text-muted">
          {formatInstant(shift.openedAt, locale)} – {until}
        </p>
      </header>
      <div>
        <p className="text-small font-semibold text-muted">{t('received')}</p>
        <p>
          <Money amount={sum.paidAmount} size="printed" />
        </p>
      </div>
      <dl className="grid gap-1">
        <Line name={t('bills')} value={String(sum.bills)} />
        <Line name={t('paid')} value={String(sum.paid)} />
        <Line name={t('unpaid')} value={String(sum.bills - sum.paid)} />
        <Line name={t('billed')} value={formatMoney(sum.amount)} />
      </dl>
      {networks.length > 0 && (
        <section aria-label={t('networks')}>
          <h2 className="border-b border-edge text-heading">{t('networks')}</h2>
          <dl className="mt-1 grid gap-1">
            {networks.map(({ network, bills, amount }) => (
              <Line
                key={network ?? ''}
                name={`${network !== null && isNetwork(network) ? WALLETS[network] : t('otherNetwork')} (${bills})`}
                value={formatMoney(amount)}
              />
            ))}
          </dl>
        </section>
      )}
      {entries.length > 0 && (
        <section aria-label={t('list')}>
          <h2 className="border-b border-edge text-heading">{t('list')}</h2>
          <ul className="mt-1 print:text-small">
            {entries.map((row) => (
              <li key={row.entryId} className="flex flex-wrap items-baseline gap-x-2 border-b border-line py-1">
                <span className="text-small text-muted tabular-nums">{formatClock(row.createdAt)}</span>
                <span className="min-w-0 flex-1 wrap-anywhere">{row.reference}</span>
                <span className="text-small">{counter(`badge_${counterState(row).state}`)}</span>
                <span className="min-w-16 text-right tabular-nums">{formatAmount(row.amount)}</span>
              </li>
            ))}
          </ul>
          {sum.bills > entries.length && <p className="text-small text-muted">{t('newest', { shown: entries.length })}</p>}
        </section>
      )}
      <div className="mt-6 grid gap-8 sm:grid-cols-2 print:mt-8">
        <Signature>{t('signCashier', { name: member })}</Signature>
        <Signature>{t('signOwner')}</Signature>
      </div>
      <p className="text-small text-muted">{t('asOf', { when: formatInstant(now, locale) })}</p>
    </article>
  );
}

function Line({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div className="flex items-baseline justify-between gap-3">
      <dt className="text-muted">{name}</dt>
      <dd className="font-semibold whitespace-nowrap tabular-nums">{value}</dd>
    </div>
  );
}

function Signature({ children }: { readonly children: ReactNode }) {
  return <p className="border-t border-edge pt-1 text-small text-muted">{children}</p>;
}
