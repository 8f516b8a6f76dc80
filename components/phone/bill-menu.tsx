import type { Payable, PayProblem, TypedBill } from '@/lib/backoffice/phones/pay-bill';
import { groupDigits } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';

/** The bill that a person pays on a test phone. */
export interface PhoneBill extends TypedBill {
  /** What the number or the QR code pays; null before the person has typed one, or if the phone cannot pay it. */
  readonly payable: Payable | null;
  readonly problem: PayProblem | null;
  /** The amount that the person typed. */
  readonly amount: string;
}

/** Returns the part of the page's address that keeps the menu open; empty if it is closed. */
export function billQuery(bill: Pick<TypedBill, 'mobile' | 'number' | 'qr'> | null): string {
  if (!bill) return '';
  const { mobile: pay, number, qr } = bill;
  return `&${new URLSearchParams({ pay, ...(number !== '' && { number }), ...(qr !== '' && { qr }) })}`;
}

interface MenuProps {
  readonly bill: PhoneBill;
  /** The path of the page, its address, and its address without the menu. */
  readonly path: string;
  readonly here: string;
  readonly home: string;
  readonly phones: string;
  readonly locale: Locale;
}

/** The id of the form that the keypad of a phone sends. */
export const billFormId = (mobile: string) => `bill-${mobile}`;

/** The menu "Pay a bill" of a test phone: first the number or the QR code, then the amount and the PIN. */
export function BillMenu(props: MenuProps) {
  return props.bill.payable ? <Confirm {...props} payable={props.bill.payable} /> : <Type {...props} />;
}

function Type({ bill: { mobile, number, qr, problem }, path, home, phones, locale }: MenuProps) {
  const t = translator(locale, 'Phone');
  const id = billFormId(mobile);
  const invalid = problem !== null && { 'aria-invalid': true as const, 'aria-describedby': `${id}-problem` };
  return (
    <form className="ussd" id={id} method="get" action={path}>
      <input type="hidden" name="phones" value={phones} />
      <input type="hidden" name="lang" value={locale} />
      <input type="hidden" name="pay" value={mobile} />
      <label htmlFor={`${id}-number`}>{t('billNumber')}</label>
      <input
        id={`${id}-number`}
        name="number"
        data-keys=""
        inputMode="numeric"
        autoComplete="off"
        maxLength={20}
        defaultValue={number}
        {...(qr === '' && invalid)}
      />
      <label htmlFor={`${id}-qr`}>{t('billQr')}</label>
      <input id={`${id}-qr`} className="text" name="qr" autoComplete="off" maxLength={512} defaultValue={qr} {...(qr !== '' && invalid)} />
      <Problem id={id} problem={problem} locale={locale} />
      <div className="row">
        <button type="submit">{t('next')}</button>
        <Back home={home} locale={locale} />
      </div>
    </form>
  );
}

function Confirm({
  bill: { mobile, number, qr, problem, amount },
  payable,
  here,
  home,
  locale,
}: MenuProps & { readonly payable: Payable }) {
  const t = translator(locale, 'Phone');
  const s = translator('sw', 'Phone');
  const id = billFormId(mobile);
  const key = payable.open ? 'billOpen' : 'billExact';
  const values = { amount: groupDigits(payable.amount), payee: payable.payee.toUpperCase(), number: payable.number };
  const ofAmount = problem === 'amount' || problem === 'limit';
  const described = problem === null ? `${id}-text` : `${id}-problem ${id}-text`;
  return (
    <form className="ussd" id={id} method="post" action={here} data-send="">
      <p lang="sw" id={`${id}-text`}>
        {s(key, values)}
      </p>
      {locale === 'en' && <p className="means">{t('means', { text: t(key, values) })}</p>}
      <input type="hidden" name="mobile" value={mobile} />
      <input type="hidden" name="number" value={number} />
      <input type="hidden" name="qr" value={qr} />
      {payable.open && (
        <>
          <label htmlFor={`${id}-amount`}>{t('billAmount')}</label>
          <input
            id={`${id}-amount`}
            className="text"
            name="amount"
            inputMode="numeric"
            autoComplete="off"
            maxLength={20}
            defaultValue={amount || payable.amount.toString()}
            aria-invalid={ofAmount ? true : undefined}
            aria-describedby={described}
          />
        </>
      )}
      <label htmlFor={`${id}-pin`}>{t('pin')}</label>
      <input
        id={`${id}-pin`}
        name="pin"
        data-keys=""
        type="password"
        inputMode="numeric"
        autoComplete="off"
        maxLength={4}
        aria-invalid={problem !== null && !ofAmount ? true : undefined}
        aria-describedby={described}
      />
      <Problem id={id} problem={problem} locale={locale} />
      <div className="row">
        <button type="submit" name="do" value="pay">
          {t('send')}
        </button>
        <Back home={home} locale={locale} />
      </div>
    </form>
  );
}

function Problem({ id, problem, locale }: { readonly id: string; readonly problem: PayProblem | null; readonly locale: Locale }) {
  if (problem === null) return null;
  return (
    <p className="error" id={`${id}-problem`} role="alert">
      {translator(locale, 'Phone')(`bill_${problem}`)}
    </p>
  );
}

function Back({ home, locale }: { readonly home: string; readonly locale: Locale }) {
  return <a href={home}>{translator(locale, 'Phone')('cancel')}</a>;
}
