import { notFound } from 'next/navigation';
import type { ReactNode } from 'react';
import { type PageProps, titled } from '@/app/page-props';
import { SignOutForm } from '@/components/dashboard/shell/sign-out-form';
import { shareAddresses } from '@/components/pay/share-addresses';
import { buttonClass } from '@/components/ui/button';
import { ButtonLink } from '@/components/ui/links';
import { Money } from '@/components/ui/money';
import { PrintButton } from '@/components/ui/print-button';
import { counterState, isAllCash } from '@/lib/backoffice/counter/counter-rules';
import { type ShiftSummary as Summary, showShift } from '@/lib/backoffice/counter/show-shift';
import { openVisit } from '@/lib/entry/server/visit';
import type { MerchantAccess } from '@/lib/identity/accounts/access/grant-access';
import { isNetwork, WALLETS } from '@/lib/platform/core/network';
import { formatAmount, formatClock, formatInstant, formatMoney } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';

export const generateMetadata = titled('Shift', 'title');

/** The summary of a shift, for printing. */
export default async function ShiftPage({ params }: PageProps<'shift'>) {
  const { shift, ...place } = await params;
  const { runtime, access, locale, path } = await openVisit(place, `counter/shift/${encodeURIComponent(shift)}`);
  const summary = await showShift(runtime, access, shift);
  if (!summary) notFound();
  const t = translator(locale, 'Shift');
  return (
    <main id="content" className="mx-auto grid max-w-2xl gap-4 px-3 py-4 print:max-w-none print:p-0">
      <div className="flex flex-wrap items-center justify-between gap-2 print:hidden">
        <h1 className="text-title">{summary.shift.closedAt ? t('closedTitle') : t('title')}</h1>
        <div className="flex flex-wrap gap-2">
          <a href={shareAddresses(summaryText(summary, access, locale)).whatsapp} className={buttonClass('plain')}>
            {t('whatsapp')}
          </a>
          <PrintButton text={translator(locale, 'Counter')('print')} />
          <ButtonLink href={path('counter')}>{t('toCounter')}</ButtonLink>
          <SignOutForm locale={locale} look="plain" />
        </div>
      </div>
      <ShiftSummary summary={summary} access={access} locale={locale} now={runtime.clock()} />
    </main>
  );
}

/** The summary of a shift as a message: the figures without the bills. */
function summaryText({ shift, sum, ways }: Summary, access: MerchantAccess, locale: Locale): string {
  const t = translator(locale, 'Shift');
  const fact = (name: string, amount: bigint) => `${name}: ${formatMoney(amount)}`;
  const counted = shift.countedCash;
  const lines = [
    ...(access.scope.environment === 'sandbox' ? [t('test')] : []),
    `*${access.merchant.name}*`,
    `${shift.cashier} · ${t('shift', { code: shift.code })}`,
    `${formatInstant(shift.openedAt, locale)} – ${shift.closedAt ? formatInstant(shift.closedAt, locale) : t('open')}`,
    `*${fact(t('received'), sum.paidAmount)}*`,
    ...ways.map(({ source, network, amount }) => fact(source === 'provider' ? walletName(network, locale) : t(`source_${source}`), amount)),
    ...(shift.expectedCash === null || counted === null
      ? []
      : [
          fact(t('expectedCash'), shift.expectedCash),
          fact(t('countedCash'), counted),
          Object.values(differenceOf(counted - shift.expectedCash, locale)).join(': '),
        ]),
    `${t('bills')}: ${sum.bills}, ${t('paid')}: ${sum.paid}, ${t('unpaid')}: ${sum.bills - sum.paid}`,
  ];
  return lines.join('\n');
}

/** The name of a network's wallet. */
function walletName(network: string | null, locale: Locale): string {
  return network !== null && isNetwork(network) ? WALLETS[network] : translator(locale, 'Shift')('otherNetwork');
}

interface ShiftSummaryProps {
  readonly summary: Summary;
  readonly access: MerchantAccess;
  readonly locale: Locale;
  /** When the summary was made. The summary shows this time, because the states of bills may change later. */
  readonly now: Date;
}

/** The summary of a shift for printing, on A4 and on a roll of 80 mm: one column that fits both. */
function ShiftSummary({ summary: { shift, sum, ways, entries }, access, locale, now }: ShiftSummaryProps) {
  const t = translator(locale, 'Shift');
  const counter = translator(locale, 'Counter');
  const networks = ways.filter(({ source }) => source === 'provider');
  const byHand = ways.flatMap(({ source, amount }) => (source === 'provider' ? [] : [{ source, amount }]));
  const until = shift.closedAt ? formatInstant(shift.closedAt, locale) : t('open');
  return (
    <article className="grid gap-4 rounded-xl border border-line bg-surface p-4 sm:p-6 print:gap-2 print:border-0 print:p-0">
      {access.scope.environment === 'sandbox' && (
        <p className="rounded-lg border border-amber bg-amber-soft px-3 py-2 font-semibold text-amber-ink">{t('test')}</p>
      )}
      <header>
        <p className="text-title print:text-heading">{access.merchant.name}</p>
        <p className="text-muted">
          {shift.cashier} · {t('shift', { code: shift.code })}
        </p>
        <p className="text-small text-muted">
          {formatInstant(shift.openedAt, locale)} – {until}
        </p>
      </header>
      <div>
        <p className="text-small font-semibold text-muted">{t('received')}</p>
        <p>
          <Money text={formatMoney(sum.paidAmount)} size="printed" />
        </p>
      </div>
      {byHand.length > 0 && (
        <dl className="grid gap-1">
          <Line name={t('mobileMoney')} value={formatMoney(networks.reduce((all, { amount }) => all + amount, 0n))} />
          {byHand.map(({ source, amount }) => (
            <Line key={source} name={t(`source_${source}`)} value={formatMoney(amount)} />
          ))}
        </dl>
      )}
      {shift.expectedCash !== null && shift.countedCash !== null && (
        <section aria-label={t('count')}>
          <h2 className="border-b border-edge text-heading">{t('count')}</h2>
          <dl className="mt-1 grid gap-1">
            <Line name={t('expectedCash')} value={formatMoney(shift.expectedCash)} />
            <Line name={t('countedCash')} value={formatMoney(shift.countedCash)} />
            <Line {...differenceOf(shift.countedCash - shift.expectedCash, locale)} />
          </dl>
        </section>
      )}
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
              <Line key={network ?? ''} name={`${walletName(network, locale)} (${bills})`} value={formatMoney(amount)} />
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
                <span className="text-small">{counter(isAllCash(row) ? 'badge_cash' : `badge_${counterState(row).state}`)}</span>
                <span className="min-w-16 text-right tabular-nums">{formatAmount(row.amount)}</span>
              </li>
            ))}
          </ul>
          {sum.bills > entries.length && <p className="text-small text-muted">{t('newest', { shown: entries.length })}</p>}
        </section>
      )}
      <div className="mt-6 grid gap-8 sm:grid-cols-2 print:mt-8">
        <Signature>{t('signCashier', { name: shift.cashier })}</Signature>
        <Signature>{t('signOwner')}</Signature>
      </div>
      <p className="text-small text-muted">{t('asOf', { when: formatInstant(now, locale) })}</p>
    </article>
  );
}

/** By how much the counted cash differs from the expected cash. */
function differenceOf(amount: bigint, locale: Locale): { readonly name: string; readonly value: string } {
  const t = translator(locale, 'Shift');
  if (amount === 0n) return { name: t('difference'), value: t('noDifference') };
  return { name: t(amount < 0n ? 'cashMissing' : 'cashOver'), value: formatMoney(amount < 0n ? -amount : amount) };
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
