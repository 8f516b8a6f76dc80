import { isOverpaid, overpaidAmount, paidPercent, remainingAmount } from '@/lib/bills/rules';
import { formatClock, formatInstant, formatMoney } from '@/lib/i18n/format';
import { type Locale, translator } from '@/lib/i18n/translator';
import type { OpenPrompt } from '@/lib/payments/page/pay-state';
import type { PayPage } from '@/lib/payments/page/show-pay-page';
import { describeState } from './describe-state';
import { Icon } from './icon';
import { Wallet } from './network-field';
import { Fact } from './pay-shell';

interface StateCardProps {
  readonly page: PayPage;
  readonly locale: Locale;
  readonly now: Date;
}

/** The state of the bill and the next step. */
export function StateCard({ page, locale, now }: StateCardProps) {
  const { bill, state } = page;
  const t = translator(locale, 'Pay');
  const { icon, tone, title, texts } = describeState(page, locale);
  const percent = paidPercent(bill);
  return (
    <section className={`card ${tone}`}>
      <h1 tabIndex={-1}>
        <Icon name={icon} />
        <span>{title}</span>
      </h1>
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
      {bill.status === 'PARTIALLY_PAID' && (
        <progress max={100} value={percent} aria-label={t('progress', { percent })}>
          {t('progress', { percent })}
        </progress>
      )}
      {state.kind === 'prompted' && <Countdown prompt={state} locale={locale} now={now} />}
      <Facts page={page} locale={locale} />
    </section>
  );
}

/** The time until which the prompt can be answered. The script turns it into a countdown. */
function Countdown({ prompt, locale, now }: Omit<StateCardProps, 'page'> & { readonly prompt: OpenPrompt }) {
  const t = translator(locale, 'Pay');
  const { attempt, own, times, helpDue } = prompt;
  return (
    <>
      {own && (
        <p>
          <Wallet network={attempt.network} />
        </p>
      )}
      {times && (
        <p className="until">
          {t('until', { time: formatClock(times.until) })}{' '}
          <b id="left" aria-hidden="true" data-ms={Math.max(times.until.getTime() - now.getTime(), 0)} />
        </p>
      )}
      {times && !helpDue && <p className="small">{t('helpLater')}</p>}
    </>
  );
}

function Facts({ page: { bill }, locale }: Pick<StateCardProps, 'page' | 'locale'>) {
  const t = translator(locale, 'Pay');
  const part = bill.status === 'PARTIALLY_PAID';
  return (
    <dl>
      <Fact term={t('payTo')}>{bill.merchantName}</Fact>
      <Fact term={t('amount')}>{formatMoney(bill.amount)}</Fact>
      {part && <Fact term={t('paidSoFar')}>{formatMoney(bill.paidAmount)}</Fact>}
      {part && <Fact term={t('remaining')}>{formatMoney(remainingAmount(bill))}</Fact>}
      {isOverpaid(bill) && <Fact term={t('paidInAll')}>{formatMoney(bill.paidAmount)}</Fact>}
      {isOverpaid(bill) && <Fact term={t('tooMuch')}>{formatMoney(overpaidAmount(bill))}</Fact>}
      <Fact term={t('reference')}>{bill.reference}</Fact>
      {bill.status === 'FULLY_PAID' && bill.paidAt && <Fact term={t('paidAt')}>{formatInstant(bill.paidAt, locale)}</Fact>}
    </dl>
  );
}
