import { AttemptBadge, BillBadge } from '@/components/dashboard/badges';
import { OVERPAID_LOOK } from '@/components/dashboard/bill-looks';
import { Help } from '@/components/dashboard/help/help';
import { QrCode } from '@/components/pay/qr-code';
import { billText } from '@/components/pay/way-steps';
import { Badge } from '@/components/ui/badge';
import { buttonClass } from '@/components/ui/button';
import { CopiedText } from '@/components/ui/copied-value';
import { Fold } from '@/components/ui/fold';
import { Icon } from '@/components/ui/icon';
import { ButtonLink } from '@/components/ui/links';
import { Money } from '@/components/ui/money';
import { Sheet } from '@/components/ui/sheet';
import type { BillView } from '@/lib/backoffice/bill-page/show-bill';
import type { FormAction } from '@/lib/entry/server/form-action';
import { describeDue } from '@/lib/gateway/bills/due-state';
import { type Bill, isOverpaid, overpaidAmount } from '@/lib/gateway/bills/rules';
import type { ShownWays } from '@/lib/gateway/payment-page/pay-ways';
import type { PromptOffer } from '@/lib/gateway/prompts/offer-prompt';
import { formatMobile } from '@/lib/platform/core/mobile';
import { toWholeShillings } from '@/lib/platform/core/money';
import { isNetwork, type Network, type OperatedNetwork, WALLETS } from '@/lib/platform/core/network';
import { formatExactInstant, formatMoney, formatRecent, groupDigits } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { type BillActions, MoreSheet } from './actions';
import { type PaymentRequestField, PaymentRequestForm, ReasonForm, ShareTexts } from './forms';

interface HeroProps {
  readonly view: BillView;
  /** The name of the merchant, for the message to the customer. */
  readonly merchant: string;
  /** The network of the customer's number; null if it is not known. */
  readonly network: Network | null;
  /** What was issued to pay the bill without its link. */
  readonly ways: ShownWays;
  /** The action that sends a payment request; null if the viewer may not do that. */
  readonly request: FormAction<PaymentRequestField> | null;
  readonly actions: BillActions;
  /** Whether the page opens with the sheet to share the bill. */
  readonly sharing: boolean;
  readonly now: Date;
  readonly locale: Locale;
}

/** Who pays how much, what the state of it is, and the next step. */
export function BillHero(props: HeroProps) {
  const { view, actions, request, now, locale } = props;
  const t = translator(locale, 'BillPage');
  const { bill, open } = view;
  const payable = bill.status !== 'FULLY_PAID' && bill.closedAt === null;
  // The form for a payment request shows the number too.
  const mobile = request !== null && view.push.kind === 'offered' && view.push.mobile === bill.mobile ? null : bill.mobile;
  return (
    <section aria-label={t('summary')} className="relative rounded-xl border border-line bg-surface p-4 sm:p-5">
      <div className="relative flex items-center gap-2">
        <h1 className="line-clamp-3 min-w-0 text-title wrap-anywhere">
          {bill.customerName !== null && (
            <>
              <bdi>{bill.customerName}</bdi> ·{' '}
            </>
          )}
          <bdi>{bill.reference}</bdi>
        </h1>
        <Help text={t('help')} docs="dashboard.md#pages" locale={locale} />
      </div>
      {(mobile !== null || bill.description !== null) && (
        <p className="text-muted wrap-anywhere">
          {mobile !== null && <span className="whitespace-nowrap">{formatMobile(mobile)}</span>}
          {mobile !== null && bill.description !== null && ' · '}
          {bill.description !== null && <bdi>{bill.description}</bdi>}
        </p>
      )}
      <State view={view} now={now} locale={locale} />
      <Overpaid view={view} refund={actions.refund} locale={locale} />
      {open.length > 0 ? (
        <OpenPrompts view={view} now={now} locale={locale} />
      ) : (
        payable && <LastAttempt view={view} mayAsk={request !== null && view.push.kind === 'offered'} locale={locale} />
      )}
      {payable && <IssuedNumbers instruments={view.instruments} locale={locale} />}
      <NextSteps {...props} />
    </section>
  );
}

/** The state of the bill, with the amount that matters in it. */
function State({ view: { bill, remaining }, now, locale }: Pick<HeroProps, 'view' | 'now' | 'locale'>) {
  const t = translator(locale, 'BillPage');
  const due = describeDue(bill, now, locale);
  const paid = bill.status === 'FULLY_PAID';
  const part = !paid && bill.paidAmount > 0n;
  const soFar = t('paidSoFar', { paid: formatMoney(bill.paidAmount), amount: formatMoney(bill.amount) });
  return (
    <>
      <p className="mt-3 flex flex-wrap gap-2">
        {isOverpaid(bill) ? (
          <Badge {...OVERPAID_LOOK} text={t('overpaid', { amount: formatMoney(overpaidAmount(bill)) })} />
        ) : (
          <BillBadge status={bill.status} locale={locale} />
        )}
        {due && <Badge tone={due.overdue ? 'wait' : 'quiet'} icon="calendar" text={due.text} />}
        {bill.closedAt !== null && <Badge tone="quiet" icon="lock" text={t('closed')} />}
      </p>
      <p className="mt-2 flex flex-wrap items-baseline gap-x-2">
        <Money text={formatMoney(paid ? bill.paidAmount : remaining)} size="figure" />
        {part && <span className="text-muted">{t('leftToPay')}</span>}
        {isOverpaid(bill) && <span className="text-muted">{t('paidForBill', { amount: formatMoney(bill.amount) })}</span>}
      </p>
      {part && (
        <div className="mt-2 max-w-md">
          <div
            role="progressbar"
            aria-label={soFar}
            aria-valuemin={0}
            aria-valuemax={Number(bill.amount)}
            aria-valuenow={Number(bill.paidAmount)}
            className="h-2 overflow-hidden rounded-full bg-sunken"
          >
            <div className="h-full rounded-full bg-brand" style={{ width: `${(Number(bill.paidAmount) / Number(bill.amount)) * 100}%` }} />
          </div>
          <p className="mt-1 text-small text-muted">{soFar}</p>
        </div>
      )}
      {paid && bill.paidAt && (
        <p className="text-muted" title={formatExactInstant(bill.paidAt, locale)}>
          {t('paidAt', { time: formatRecent(bill.paidAt, now, locale) })}
        </p>
      )}
      {bill.closedAt !== null && !paid && <p className="mt-2 text-muted">{t('closedText')}</p>}
    </>
  );
}

/** What to do about an overpaid bill whose excess cannot be returned here. */
function Overpaid({
  view: { bill, operatorContact, refundable },
  refund,
  locale,
}: Pick<HeroProps, 'view' | 'locale'> & Pick<BillActions, 'refund'>) {
  const t = translator(locale, 'BillPage');
  if (!isOverpaid(bill) || (refund?.refusal === null && refundable.length > 0)) return null;
  return (
    <p className="mt-3 rounded-lg border border-amber bg-amber-soft p-3 text-amber-ink">
      {operatorContact === null ? t('overpaidReturn') : t('overpaidReturnContact', { contact: operatorContact })}
    </p>
  );
}

/** The numbers that pay the bill, and whether something is being issued. The menu has the rest of what is known about them. */
function IssuedNumbers({ instruments, locale }: Pick<BillView, 'instruments'> & Pick<HeroProps, 'locale'>) {
  const t = translator(locale, 'BillWays');
  const numbers = instruments.flatMap(({ state, number }) => (state === 'ACTIVE' && number !== null ? [number] : []));
  return (
    <>
      {instruments.some(({ state }) => state === 'PENDING') && (
        <p className="mt-3 flex flex-wrap items-center gap-x-2">
          {t('title')}: <Badge tone="busy" icon="clock" text={t('pending')} />
        </p>
      )}
      {numbers.map((number) => (
        <p key={number} className="mt-3">
          {t('number')}: <CopiedText label={t('number')} text={number} />
        </p>
      ))}
    </>
  );
}

function OpenPrompts({ view, now, locale }: Pick<HeroProps, 'view' | 'now' | 'locale'>) {
  const t = translator(locale, 'BillPage');
  return (
    <ul className="mt-3 grid gap-2">
      {view.open.map(({ id, mobile, network, amount, state, createdAt }) => (
        <li key={id} className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <AttemptBadge state={state} locale={locale} />
          <span>
            {t('openPrompt', { mobile, wallet: WALLETS[isNetwork(network) ? network : 'other'], amount: formatMoney(amount) })}{' '}
            <span className="text-muted" title={formatExactInstant(createdAt, locale)}>
              {t('since', { time: formatRecent(createdAt, now, locale) })}
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}

function LastAttempt({ view: { timeline }, mayAsk, locale }: Pick<HeroProps, 'view' | 'locale'> & { readonly mayAsk: boolean }) {
  const t = translator(locale, 'BillPage');
  const last = timeline.findLast((entry) => entry.kind === 'prompt');
  if (!last) return <p className="mt-2 text-muted">{t(mayAsk ? 'nobodyAsked' : 'nobodyAskedLink')}</p>;
  const reason = last.reason ? translator(locale, 'AttemptReason')(last.reason) : last.prompt.state === 'EXPIRED' ? t('expired') : null;
  return reason && <p className="mt-2">{t('lastFailed', { reason })}</p>;
}

/** The next step of a bill: the only filled button of the page. */
type NextStep = 'giveBack' | 'receipt' | 'reopen' | 'request' | 'share';

interface Situation {
  readonly bill: Pick<Bill, 'status' | 'closedAt' | 'amount' | 'paidAmount'>;
  readonly open: readonly unknown[];
  readonly push: PromptOffer;
  readonly refundable: readonly unknown[];
  /** What the viewer may do. */
  readonly may: { readonly request: boolean; readonly refund: boolean; readonly reopen: boolean };
}

/** Returns the next step; null if there is none, for example while a payment request is open. */
export function nextStep({ bill, open, push, refundable, may }: Situation): NextStep | null {
  if (bill.status === 'FULLY_PAID') return isOverpaid(bill) && may.refund && refundable.length > 0 ? 'giveBack' : 'receipt';
  if (bill.closedAt !== null) return may.reopen ? 'reopen' : null;
  if (may.request && push.kind === 'offered' && push.mobile !== null) return 'request';
  return open.length > 0 ? null : 'share';
}

/** The next step, the ways to share the bill, and a menu with everything else. */
function NextSteps({ view, merchant, network, ways, request, actions, sharing, now, locale }: HeroProps) {
  const t = translator(locale, 'BillPage');
  const ask = translator(locale, 'AskPhone');
  const { bill, push, shortLink, webPayUrl } = view;
  const closing = translator(locale, 'CloseBill');
  const { refund, reopen, path } = actions;
  const may = { request: request !== null, refund: refund?.refusal === null, reopen: reopen !== null };
  const step = nextStep({ ...view, may });
  const receipt = bill.paidAmount > 0n ? `${webPayUrl}&show=receipt&lang=${locale}` : null;
  const prompts = view.timeline.filter(({ kind }) => kind === 'prompt').length;
  const close = translator(locale, 'Shell')('close');
  const form = push.kind === 'offered' && request !== null && (
    // Another payment request is another form: it proposes other values.
    <PaymentRequestForm
      key={prompts}
      action={request}
      bill={bill.id}
      formId={view.formId}
      first={{
        mobile: push.mobile ?? '',
        network: '',
        amount: push.amounts ? groupDigits(toWholeShillings(push.amounts.proposed)) : '',
      }}
      to={push.mobile && formatMobile(push.mobile)}
      networks={push.networks.map((one) => ({ value: one, text: WALLETS[one] }))}
      amountHint={push.amounts && ask('amountHint', { min: formatMoney(push.amounts.min), max: formatMoney(push.amounts.max) })}
      only={push.amounts === null && push.payable !== view.remaining ? ask('all', { amount: formatMoney(push.payable) }) : null}
      button={prompts > 0 ? t('askAgain') : ask('send')}
    />
  );
  return (
    <>
      {push.kind === 'offered' && request !== null && push.down.length > 0 && (
        <DownNetworks networks={push.networks} down={push.down} locale={locale} />
      )}
      {request !== null && (push.kind === 'all_asked' || push.kind === 'inactive' || push.kind === 'unserved') && (
        <p className="mt-2 text-muted">{ask(`why_${push.kind}`)}</p>
      )}
      <div className="relative mt-4 flex flex-wrap items-end gap-2 empty:hidden">
        {step === 'giveBack' && (
          <ButtonLink href={`${path}?refund=excess#refund`} look="primary" className="max-sm:w-full">
            <Icon name="back" /> {t('returnExcess')}
          </ButtonLink>
        )}
        {step === 'receipt' && receipt && (
          <a href={receipt} className={`max-sm:grow ${buttonClass('primary')}`}>
            <Icon name="document" /> {t('receipt')}
          </a>
        )}
        {step === 'reopen' && reopen !== null && (
          <Sheet icon="retry" button={closing('reopen')} look="primary" title={closing('reopen')} close={close}>
            <p className="text-muted">{closing('reopenText')}</p>
            <ReasonForm action={reopen} bill={bill.id} button={closing('reopenNow')} look="primary" />
          </Sheet>
        )}
        {step === 'request' && form}
        {shortLink !== null && (
          <Sheet
            icon="share"
            button={t('share')}
            look={step === 'share' ? 'primary' : 'plain'}
            title={t('shareTitle')}
            close={close}
            open={sharing}
          >
            <Share {...{ bill, merchant, network, ways, locale }} amount={formatMoney(view.remaining)} link={shortLink} />
          </Sheet>
        )}
        {form && step !== 'request' && (
          <Sheet key={prompts} icon="phone" button={t('askPhone')} title={ask('title')} close={close}>
            {form}
          </Sheet>
        )}
        <MoreSheet view={view} actions={actions} receipt={step === 'receipt' ? null : receipt} now={now} locale={locale} />
      </div>
    </>
  );
}

interface DownNetworksProps {
  readonly networks: readonly OperatedNetwork[];
  readonly down: readonly OperatedNetwork[];
  readonly locale: Locale;
}

/** Names the networks that have problems now and those that work. A request to a network with problems may still be sent. */
export function DownNetworks({ networks, down, locale }: DownNetworksProps) {
  const t = translator(locale, 'AskPhone');
  const working = networks.filter((network) => !down.includes(network));
  const values = (list: readonly OperatedNetwork[]) => ({
    wallets: list.map((network) => WALLETS[network]).join(', '),
    count: list.length,
  });
  return (
    <p id="ask-down" className="mt-3 text-danger">
      {t('networkDown', values(down))} {working.length > 0 && t('networkDownOthers', values(working))}
    </p>
  );
}

interface ShareProps extends Pick<HeroProps, 'merchant' | 'network' | 'ways' | 'locale'> {
  readonly bill: Pick<BillView['bill'], 'reference' | 'mobile'>;
  /** The amount to pay. */
  readonly amount: string;
  /** The short address of the bill's page. */
  readonly link: string;
}

/** The message for the customer with the payment link, the ways to send it, and the QR code. */
function Share({ bill: { reference, mobile }, merchant, amount, link, ways, network, locale }: ShareProps) {
  const t = translator(locale, 'BillPage');
  const textIn = (language: Locale) => billText({ merchant, amount, reference, url: link, ways, network }, language);
  return (
    <>
      <ShareTexts texts={{ sw: textIn('sw'), en: textIn('en') }} link={link} mobile={mobile} />
      <Fold title={t('showQr')} className="mt-2">
        <div className="mx-auto w-56 max-w-full overflow-hidden rounded-lg border border-line">
          <QrCode text={link} label={translator(locale, 'Share')('qrLabel')} />
        </div>
        <a href={`${link}?show=qr`} className="flex min-h-control items-center justify-center gap-2 font-semibold text-brand">
          <Icon name="print" /> {t('qrPage')}
        </a>
      </Fold>
      <p className="mt-2 text-small text-muted">
        {t('shareText')}{' '}
        <a href={link} className="text-brand underline underline-offset-2 wrap-anywhere">
          {link}
        </a>
      </p>
    </>
  );
}
