import { dueState } from '@/lib/gateway/bills/due-state';
import { isOverpaid, overpaidAmount, paidPercent, remainingAmount } from '@/lib/gateway/bills/rules';
import type { PayPage } from '@/lib/gateway/payment-page/show-pay-page';
import { formatDay, formatInstant, formatMoney } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { Fact } from './pay-shell';

interface BillProps {
  readonly page: PayPage;
  readonly locale: Locale;
}

interface Sum {
  readonly amount: bigint;
  /** What the amount is, if the heading does not say it. */
  readonly label: 'sumRemaining' | 'sumNow' | 'sumPaid' | 'sumPaidInAll' | null;
}

/** Amounts of this length and more get a smaller font, because people misread an amount that is broken into two lines. */
const LONG = 'TZS 1,000,000'.length;

/** The amount that matters in the current state, for example what is left to pay. It is the largest text of the page. */
export function BillSum({ page, locale }: BillProps) {
  const { label, amount } = sumOf(page);
  return <Figure text={formatMoney(amount)} label={label && translator(locale, 'Pay')(label)} />;
}

/** An amount in the largest font. `label` says what the amount is; null for no label. */
export function Figure({ text, label }: { readonly text: string; readonly label: string | null }) {
  return (
    <p className={text.length >= LONG ? 'sum long' : 'sum'}>
      <b>{text}</b> {label && <small>{label}</small>}
    </p>
  );
}

function sumOf({ bill, state, form }: PayPage): Sum {
  if ('attempt' in state) return { amount: state.attempt.amount, label: null };
  if (state.kind === 'overpaid') return { amount: bill.paidAmount, label: 'sumPaidInAll' };
  if (state.kind === 'decline') return { amount: bill.paidAmount, label: 'sumPaid' };
  if (state.kind === 'paid') return { amount: bill.paidAmount, label: null };
  // Nobody can pay a closed bill, so the page shows the amount of the bill, not the remaining amount.
  if (state.kind === 'closed') return { amount: bill.amount, label: null };
  const remaining = remainingAmount(bill);
  // Open attempts on other phones reserve a part of the remaining amount.
  if (form && form.payable < remaining) return { amount: form.payable, label: 'sumNow' };
  // After a failed payment request, customers could think that an amount without a label was charged. So the amount gets a label then.
  const failed = state.kind === 'ready' && state.failure !== null;
  return { amount: remaining, label: bill.paidAmount > 0n || failed ? 'sumRemaining' : null };
}

/** What the bill is for, in the shop's words: customers recognise a bill by it. */
export function Purpose({ page: { bill } }: Pick<BillProps, 'page'>) {
  if (bill.description === null) return null;
  return (
    <p className="for">
      <bdi>{bill.description}</bdi>
    </p>
  );
}

/** What has been paid of a bill that is paid in part. */
export function PaidPart({ page: { bill }, locale }: BillProps) {
  if (bill.status !== 'PARTIALLY_PAID') return null;
  const t = translator(locale, 'Pay');
  const progress = t('progress', { percent: paidPercent(bill) });
  return (
    <>
      <progress max={100} value={paidPercent(bill)} aria-label={progress}>
        {progress}
      </progress>
      <p className="hint part">{t('partText', { paid: formatMoney(bill.paidAmount), amount: formatMoney(bill.amount) })}</p>
    </>
  );
}

/** The merchant of the bill, with a label that suits the state of the bill. */
export function MerchantFact({ page: { bill, state }, locale }: BillProps) {
  const t = translator(locale, 'Pay');
  const payTo = bill.status === 'FULLY_PAID' ? translator(locale, 'Verify')('paidTo') : t('payTo');
  return (
    <Fact term={state.kind === 'closed' ? t('billFrom') : payTo}>
      <bdi>{bill.merchantName}</bdi>
    </Fact>
  );
}

/** Shows whom the customer pays, the reference, and until when. */
export function BillFacts({ page, locale, now }: BillProps & { readonly now: Date }) {
  const { bill } = page;
  const t = translator(locale, 'Pay');
  const total = sumOf(page).amount !== bill.amount && bill.status !== 'PARTIALLY_PAID';
  const overdue = dueState(bill, now)?.kind === 'overdue';
  return (
    <dl>
      <MerchantFact page={page} locale={locale} />
      <Fact term={t('reference')}>
        <bdi>{bill.reference}</bdi>
      </Fact>
      {bill.customerName !== null && (
        <Fact term={t('customer')}>
          <bdi>{bill.customerName}</bdi>
        </Fact>
      )}
      {bill.dueAt && bill.status !== 'FULLY_PAID' && (
        <Fact term={t('dueAt')} tone={overdue ? 'over' : undefined}>
          {overdue ? t('overdue', { day: formatDay(bill.dueAt, locale) }) : formatDay(bill.dueAt, locale)}
        </Fact>
      )}
      {bill.expiresAt && bill.status !== 'FULLY_PAID' && <Fact term={t('expiresAt')}>{formatInstant(bill.expiresAt, locale)}</Fact>}
      {total && <Fact term={t('billAmount')}>{formatMoney(bill.amount)}</Fact>}
      {isOverpaid(bill) && <Fact term={t('tooMuch')}>{formatMoney(overpaidAmount(bill))}</Fact>}
      {page.returns.map(({ id, amount, returnedAt }) => (
        <Fact key={id} term={t('returnedOn', { day: formatDay(returnedAt, locale) })}>
          {formatMoney(amount)}
        </Fact>
      ))}
      {bill.status === 'FULLY_PAID' && bill.paidAt && <Fact term={t('paidAt')}>{formatInstant(bill.paidAt, locale)}</Fact>}
    </dl>
  );
}
