import { QrCode } from '@/components/pay/qr-code';
import { Badge } from '@/components/ui/badge';
import { CopyButton } from '@/components/ui/copied-value';
import { Fold } from '@/components/ui/fold';
import { Icon } from '@/components/ui/icon';
import { Fact, Facts } from '@/components/ui/layout';
import { Notice } from '@/components/ui/notice';
import { Sheet, SheetLink, SheetRow } from '@/components/ui/sheet';
import type { InstrumentView } from '@/lib/backoffice/bill-page/bill-instruments';
import type { BillView } from '@/lib/backoffice/bill-page/show-bill';
import type { FormAction } from '@/lib/entry/server/form-action';
import { INFO_FORM, type InfoField } from '@/lib/gateway/bills/bill-info';
import { payableAmount } from '@/lib/gateway/bills/rules';
import type { AccessRefusal } from '@/lib/identity/accounts/access/grant-access';
import { eastAfricanDay } from '@/lib/platform/core/east-african-day';
import { toWholeShillings } from '@/lib/platform/core/money';
import { WALLETS } from '@/lib/platform/core/network';
import { formatInstant, formatMoney, groupDigits } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { labelOf } from '@/lib/providers/registry';
import { AskWaysForm, InfoForm, ReasonForm, type RecordField, RecordForm } from './forms';

/** What can be done with a bill. An action is null if the viewer may not do it. */
export interface BillActions {
  /** The address of the page. */
  readonly path: string;
  /** Why the viewer may not refund, if so; null if the viewer sees no refunds. */
  readonly refund: { readonly refusal: AccessRefusal | null } | null;
  readonly record: FormAction<RecordField> | null;
  readonly changeInfo: FormAction<InfoField> | null;
  readonly askWays: FormAction<'bill'> | null;
  readonly close: FormAction<'reason'> | null;
  readonly reopen: FormAction<'reason'> | null;
}

interface MoreSheetProps {
  readonly view: BillView;
  readonly actions: BillActions;
  /** The address of the receipt; null if there is none, or if it is the next step. */
  readonly receipt: string | null;
  readonly now: Date;
  readonly locale: Locale;
}

/** The menu with everything that is not the next step. */
export function MoreSheet({ view, actions, receipt, now, locale }: MoreSheetProps) {
  const t = translator(locale, 'BillPage');
  const info = translator(locale, 'BillInfo');
  const closing = translator(locale, 'CloseBill');
  const { bill, open } = view;
  const { path, refund, record, changeInfo, askWays, close } = actions;
  const refundable = refund !== null && view.refundable.length > 0;
  const closable = close !== null && bill.status !== 'FULLY_PAID' && bill.closedAt === null;
  return (
    <Sheet icon="dots" button={t('more')} title={t('moreTitle')} close={translator(locale, 'Shell')('close')}>
      {receipt !== null && <SheetLink icon="document" title={t('receipt')} href={receipt} out />}
      {record !== null && (
        <SheetRow icon="cash" title={translator(locale, 'RecordPayment')('title')}>
          <Record view={view} action={record} now={now} locale={locale} />
        </SheetRow>
      )}
      {refundable && <Refund path={path} refusal={refund.refusal} locale={locale} />}
      {hasWays(view) && (
        <SheetRow icon="keypad" title={translator(locale, 'BillWays')('title')}>
          <Ways view={view} ask={askWays} locale={locale} />
        </SheetRow>
      )}
      {changeInfo !== null && (
        <SheetRow icon="person" title={info('edit')}>
          <InfoForm action={changeInfo} bill={bill.id} typed={typedInfo(bill)} fields={INFO_FORM} />
        </SheetRow>
      )}
      {closable && (
        <SheetRow icon="lock" title={closing('close')} look="danger">
          <p className="text-muted">{closing(open.length > 0 ? 'waitsForPrompt' : 'closeText')}</p>
          {open.length === 0 && <ReasonForm action={close} bill={bill.id} button={closing('closeNow')} look="danger" />}
        </SheetRow>
      )}
    </Sheet>
  );
}

interface RecordProps {
  readonly view: BillView;
  readonly action: FormAction<RecordField>;
  readonly now: Date;
  readonly locale: Locale;
}

/** Records money that a person received. While a payment request is open, only what it leaves can be recorded. */
function Record({ view: { bill, formId }, action, now, locale }: RecordProps) {
  const t = translator(locale, 'RecordPayment');
  const left = payableAmount(bill);
  return (
    <>
      <p className="text-muted">{t('text')}</p>
      {bill.reservedAmount > 0n && (
        <p className="mt-2">{t('open', { reserved: formatMoney(bill.reservedAmount), left: formatMoney(left) })}</p>
      )}
      <RecordForm
        action={action}
        bill={bill.id}
        formId={formId}
        amount={left > 0n ? groupDigits(toWholeShillings(left)) : ''}
        today={eastAfricanDay(now)}
      />
    </>
  );
}

/** The link to the form for a refund, or the reason why the viewer may not use it. */
function Refund({ path, refusal, locale }: { readonly path: string; readonly refusal: AccessRefusal | null; readonly locale: Locale }) {
  const t = translator(locale, 'BillPage');
  if (refusal === null) return <SheetLink icon="back" title={t('refund')} href={`${path}?refund=ask#refund`} />;
  return (
    <div className="border-t border-line py-1">
      <button
        type="button"
        disabled
        aria-describedby="refund-why"
        className="flex min-h-control items-center gap-3 font-semibold opacity-60"
      >
        <Icon name="back" /> {t('refund')}
      </button>
      <p id="refund-why" className="text-small text-muted">
        {t(refusal === 'not_allowed' ? 'refundViewer' : refusal)}
      </p>
    </div>
  );
}

/** Returns the optional values as the form shows them. */
function typedInfo({ customerName, description, dueAt }: BillView['bill']): Readonly<{ [field in InfoField]: string }> {
  return { customerName: customerName ?? '', description: description ?? '', dueDate: dueAt ? eastAfricanDay(dueAt) : '' };
}

interface WaysProps {
  readonly view: BillView;
  /** The action that asks for instruments; null if the viewer may not do that. */
  readonly ask: FormAction<'bill'> | null;
  readonly locale: Locale;
}

/** Whether a bill has numbers, QR codes or links, or can have them. */
function hasWays({ instruments, offersInstruments }: Pick<BillView, 'instruments' | 'offersInstruments'>): boolean {
  return instruments.length > 0 || offersInstruments;
}

/** The numbers, QR codes and links of a bill. */
function Ways({ view: { bill, open, instruments, offersInstruments }, ask, locale }: WaysProps) {
  const t = translator(locale, 'BillWays');
  const usable = instruments.filter(({ state }) => state === 'ACTIVE');
  const pending = instruments.filter(({ state }) => state === 'PENDING');
  const ended = instruments.filter(({ state }) => state === 'ENDED').reverse();
  const missing = offersInstruments && usable.length + pending.length === 0;
  return (
    <>
      {bill.status !== 'FULLY_PAID' && bill.closedAt === null && <p className="text-muted">{t('text')}</p>}
      {open.length > 0 && usable.length > 0 && (
        <div className="mt-3">
          <Notice tone="wait" text={t('promptOpen')} />
        </div>
      )}
      {pending.length > 0 && (
        <p className="mt-3">
          <Badge tone="busy" icon="clock" text={t('pending')} />
        </p>
      )}
      {usable.length > 0 && (
        <ul className="mt-3 grid gap-5">
          {usable.map((instrument) => (
            <li key={instrument.id}>
              <UsableWay instrument={instrument} locale={locale} />
            </li>
          ))}
        </ul>
      )}
      {missing && (ask ? <AskWaysForm action={ask} bill={bill.id} button={t('ask')} /> : <p className="mt-3">{t('none')}</p>)}
      {ended.length > 0 && (
        <Fold title={t('ended', { count: ended.length })} className="mt-3">
          <ul className="mt-2 grid gap-3">
            {ended.map((instrument) => (
              <EndedWay key={instrument.id} instrument={instrument} locale={locale} />
            ))}
          </ul>
        </Fold>
      )}
    </>
  );
}

interface WayProps {
  readonly instrument: InstrumentView;
  readonly locale: Locale;
}

function UsableWay({ instrument: { amount, number, qr, link, networks, takes, expiresAt, provider }, locale }: WayProps) {
  const t = translator(locale, 'BillWays');
  return (
    <>
      {number !== null && (
        <div className="mb-3 flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
          <p>
            <span className="block text-sm text-muted">{t('number')}</span>
            <strong className="text-subfigure tabular-nums wrap-anywhere select-all">{number}</strong>
          </p>
          <CopyButton value={number} label={`${translator(locale, 'Shell')('copy')}: ${t('number')}`} />
        </div>
      )}
      <Facts>
        <Fact term={t('amount')}>{t(takes === 'open' ? 'openAmount' : 'exactAmount', { amount: formatMoney(amount) })}</Fact>
        {number !== null && (
          <Fact term={t('wallets')}>{networks.flatMap((one) => (one === 'other' ? [] : [WALLETS[one]])).join(', ')}</Fact>
        )}
        {expiresAt !== null && <Fact term={t('expires')}>{formatInstant(expiresAt, locale)}</Fact>}
        <Fact term={t('provider')}>{labelOf(provider)}</Fact>
      </Facts>
      {qr !== null && (
        <Fold title={t('showQr')} className="mt-2">
          <p className="text-sm text-muted">{t('qrText')}</p>
          <div className="mx-auto mt-2 w-72 max-w-full overflow-hidden rounded-lg border border-line">
            <QrCode text={qr} label={t('qrLabel')} />
          </div>
        </Fold>
      )}
      {link !== null && (
        <p className="mt-2">
          <a href={link} className="font-semibold text-brand underline underline-offset-2 wrap-anywhere">
            {t('link')}
          </a>
        </p>
      )}
    </>
  );
}

function EndedWay({ instrument: { amount, number, reason, endedAt }, locale }: WayProps) {
  const t = translator(locale, 'BillWays');
  return (
    <li>
      <p className="font-semibold">
        {number === null ? t('withoutNumber') : `${t('number')} ${number}`} · {formatMoney(amount)}
      </p>
      <p className="text-sm text-muted">
        {t(`end_${reason ?? 'lost'}`)} {endedAt && formatInstant(endedAt, locale)}
      </p>
    </li>
  );
}
