import { buttonClass } from '@/components/ui/button';
import { CopiedText } from '@/components/ui/copied-text';
import { Fact, Facts } from '@/components/ui/facts';
import { Icon } from '@/components/ui/icon';
import { Card } from '@/components/ui/layout';
import { Money } from '@/components/ui/money';
import { readMetadata } from '@/lib/bills/bill-extras';
import type { TypedInfo } from '@/lib/bills/info-fields';
import type { BillView } from '@/lib/bills/page/show-bill';
import { isOverpaid, overpaidAmount } from '@/lib/bills/rules';
import { eastAfricanDay } from '@/lib/core/east-african-day';
import { isNetwork, WALLETS } from '@/lib/core/network';
import { formatDay, formatInstant, formatMoney } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { AttemptBadge } from '../badges';
import type { BillPlace, PlacedForm } from '../place';
import { InfoForm, type InfoState } from './info-form';

interface SummaryCardProps {
  readonly view: BillView;
  /** Whether the page has the form for a payment request. */
  readonly mayAsk: boolean;
  readonly locale: Locale;
}

/** The status of the bill, the remaining amount, and the next step. */
export function SummaryCard({ view, mayAsk, locale }: SummaryCardProps) {
  const t = translator(locale, 'BillPage');
  const { bill, remaining, webPayUrl } = view;
  const paid = bill.status === 'FULLY_PAID';
  const payable = !paid && bill.closedAt === null;
  const prompted = view.timeline.some(({ kind }) => kind === 'prompt');
  return (
    <section aria-label={t('summary')} className="rounded-xl border border-line bg-surface p-4 sm:p-5">
      {isOverpaid(bill) ? (
        <p className="font-semibold text-amber-ink">{t('overpaid', { amount: formatMoney(overpaidAmount(bill)) })}</p>
      ) : (
        <p key={String(paid)} className="text-muted">
          {t(paid ? 'paidInFull' : 'leftToPay')}
        </p>
      )}
      <p>
        <Money amount={paid ? bill.paidAmount : remaining} size="figure" />
      </p>
      {!paid && bill.paidAmount > 0n && (
        <>
          <progress
            className="mt-2 h-2 w-full max-w-md accent-brand"
            max={Number(bill.amount)}
            value={Number(bill.paidAmount)}
            aria-label={t('paidSoFar', { paid: formatMoney(bill.paidAmount), amount: formatMoney(bill.amount) })}
          />
          <p className="text-sm text-muted">{t('paidSoFar', { paid: formatMoney(bill.paidAmount), amount: formatMoney(bill.amount) })}</p>
        </>
      )}
      {paid && bill.paidAt && <p className="text-muted">{t('paidAt', { time: formatInstant(bill.paidAt, locale) })}</p>}
      <Overpaid view={view} locale={locale} />
      {bill.closedAt !== null && !paid && <p className="mt-2">{t('closedText')}</p>}
      <OpenPrompts view={view} locale={locale} />
      {payable && view.open.length === 0 && <LastAttempt view={view} mayAsk={mayAsk} locale={locale} />}
      <p className="mt-4 flex flex-wrap gap-2 empty:hidden">
        {payable && (
          <>
            {/* While a request holds the whole amount, nobody can pay by the link. */}
            <a href="#share" className={buttonClass(view.open.length > 0 && !mayAsk ? 'plain' : 'primary')}>
              <Icon name="share" /> {t('sendLink')}
            </a>
            {mayAsk && (
              <a href="#ask" className={buttonClass('plain')}>
                <Icon name="phone" /> {t(prompted ? 'askAgain' : 'askPhone')}
              </a>
            )}
          </>
        )}
        {bill.paidAmount > 0n && (
          <a href={`${webPayUrl}&show=receipt&lang=${locale}`} className={buttonClass('plain')}>
            <Icon name="document" /> {t('receipt')}
          </a>
        )}
      </p>
    </section>
  );
}

/** What to do about an overpaid bill. Only the operator can reverse payments. */
function Overpaid({ view: { bill, operatorContact }, locale }: Pick<SummaryCardProps, 'view' | 'locale'>) {
  const t = translator(locale, 'BillPage');
  if (!isOverpaid(bill)) return null;
  return (
    <div className="mt-3 rounded-lg border border-amber bg-amber-soft p-3 text-amber-ink">
      <p className="font-semibold">{t('paidSoFar', { paid: formatMoney(bill.paidAmount), amount: formatMoney(bill.amount) })}</p>
      <p>{operatorContact === null ? t('overpaidReturn') : t('overpaidReturnContact', { contact: operatorContact })}</p>
    </div>
  );
}

function OpenPrompts({ view, locale }: Pick<SummaryCardProps, 'view' | 'locale'>) {
  const t = translator(locale, 'BillPage');
  if (view.open.length === 0) return null;
  return (
    <ul className="mt-3 grid gap-2">
      {view.open.map(({ id, mobile, network, amount, state, createdAt }) => (
        <li key={id} className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <AttemptBadge state={state} locale={locale} />
          <span>
            {t('openPrompt', { mobile, wallet: WALLETS[isNetwork(network) ? network : 'other'], amount: formatMoney(amount) })}
            <span className="text-muted"> {t('since', { time: formatInstant(createdAt, locale) })}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}

function LastAttempt({ view: { timeline }, mayAsk, locale }: SummaryCardProps) {
  const t = translator(locale, 'BillPage');
  const last = timeline.findLast((entry) => entry.kind === 'prompt');
  if (!last) return <p className="mt-3">{t(mayAsk ? 'nobodyAsked' : 'nobodyAskedLink')}</p>;
  const reason = last.reason ? translator(locale, 'AttemptReason')(last.reason) : last.prompt.state === 'EXPIRED' ? t('expired') : null;
  return reason && <p className="mt-3">{t('lastFailed', { reason })}</p>;
}

interface FactsCardProps {
  readonly view: BillView;
  /** The form for the optional values, or null if the member may not change them. */
  readonly change: PlacedForm<InfoState, BillPlace> | null;
  readonly locale: Locale;
}

export function FactsCard({ view, change, locale }: FactsCardProps) {
  const t = translator(locale, 'Bill');
  const info = translator(locale, 'BillInfo');
  const extras = translator(locale, 'BillExtras');
  const { bill, remaining, webPayUrl } = view;
  return (
    <Card id="facts" title={t('facts')}>
      <Facts>
        <Fact term={t('amount')}>{formatMoney(bill.amount)}</Fact>
        <Fact term={t('paid')}>{formatMoney(bill.paidAmount)}</Fact>
        {isOverpaid(bill) ? (
          <Fact term={t('overpaid')}>{formatMoney(overpaidAmount(bill))}</Fact>
        ) : (
          <Fact term={t('remaining')}>{formatMoney(remaining)}</Fact>
        )}
        <Fact term={t('mobile')}>{bill.mobile ?? t('noMobile')}</Fact>
        <Fact term={t('reference')}>{bill.reference}</Fact>
        {bill.customerName !== null && <Fact term={info('customerName')}>{bill.customerName}</Fact>}
        {bill.description !== null && <Fact term={info('description')}>{bill.description}</Fact>}
        {bill.dueAt !== null && <Fact term={info('dueDate')}>{formatDay(bill.dueAt, locale)}</Fact>}
        {bill.customerEmail !== null && (
          <Fact term={extras('email')}>
            <a href={`mailto:${bill.customerEmail}`} className="text-brand underline underline-offset-2">
              {bill.customerEmail}
            </a>
          </Fact>
        )}
        {bill.expiresAt !== null && <Fact term={extras('expires')}>{formatInstant(bill.expiresAt, locale)}</Fact>}
        {Object.entries(readMetadata(bill.metadata)).map(([name, value]) => (
          <Fact key={name} term={extras('metadata', { name })}>
            <span className="whitespace-pre-line">{value}</span>
          </Fact>
        ))}
        <Fact term={t('created')}>{formatInstant(bill.createdAt, locale)}</Fact>
        {bill.status === 'FULLY_PAID' && bill.paidAt && <Fact term={t('paidAt')}>{formatInstant(bill.paidAt, locale)}</Fact>}
        <Fact term={t('id')}>
          <CopiedText label={t('id')} text={bill.id} />
        </Fact>
        <Fact term={t('payPage')}>
          <a href={webPayUrl} className="text-brand underline underline-offset-2">
            {t('openPayPage')}
          </a>
        </Fact>
      </Facts>
      {change && <InfoForm {...change} typed={typedInfo(bill)} />}
    </Card>
  );
}

/** Returns the optional values as the form shows them. */
function typedInfo({ customerName, description, dueAt }: BillView['bill']): TypedInfo {
  return { customerName: customerName ?? '', description: description ?? '', dueDate: dueAt ? eastAfricanDay(dueAt) : '' };
}
