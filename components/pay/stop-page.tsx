import type { RefusalRequest } from '@/lib/gateway/refusals/request-refusal';
import { formatSupportNumber, parseSupportNumber } from '@/lib/identity/merchants/brand-rules';
import { type MobileProblem, maskMobile } from '@/lib/platform/core/mobile';
import { formatInstant } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { mobileProblemText } from './form-problem';
import { PayShell } from './pay-shell';

interface StopPageProps {
  readonly locale: Locale;
  /** The bill whose page linked here; null if the visitor came without a bill's link. */
  readonly billId: string | null;
  /** The values that the visitor has just sent, and what is wrong with the number. Null if nothing was sent yet: the form is then empty. */
  readonly values: { readonly mobile: string; readonly reason: string; readonly problem: MobileProblem } | null;
  /**
   * The result of the visitor's request to block a number, that number, and whom the visitor contacts with the code of the request. Null
   * before a request.
   */
  readonly answer: {
    readonly request: RefusalRequest;
    readonly mobile: string;
    /** The contact of the operator. */
    readonly contact: string | null;
    /** The number of the shop that sent the bill. The visitor can call it if the operator has no contact. */
    readonly shopNumber: string | null;
  } | null;
}

/** The page where the owner of a number blocks payment requests to it, and gets a code for the operator. */
export function StopPage({ locale, billId, values, answer }: StopPageProps) {
  const t = translator(locale, 'Stop');
  return (
    <PayShell locale={locale} title={t('title')} version="stop" otherLanguage={stopAddress(billId, locale === 'sw' ? 'en' : 'sw')}>
      {answer ? <Answer locale={locale} {...answer} /> : <StopForm locale={locale} billId={billId} values={values} />}
      {billId !== null && (
        <p className="center">
          <a href={`/pay?bill=${billId}&lang=${locale}`}>{t('back')}</a>
        </p>
      )}
    </PayShell>
  );
}

function StopForm({ locale, billId, values }: Omit<StopPageProps, 'answer'>) {
  const t = translator(locale, 'Stop');
  const problem = values?.problem;
  return (
    // The server checks the fields, as for the form of a bill.
    <form className="card" method="post" action="/pay" noValidate>
      <h1>{t('title')}</h1>
      <p id="intro">{t('intro')}</p>
      <input type="hidden" name="show" value="stop" />
      <input type="hidden" name="lang" value={locale} />
      {billId !== null && <input type="hidden" name="bill" value={billId} />}
      <label htmlFor="mobile">{t('mobile')}</label>
      <input
        id="mobile"
        name="mobile"
        type="tel"
        autoComplete="tel-national"
        required
        maxLength={40}
        defaultValue={values?.mobile ?? ''}
        aria-describedby={problem ? 'problem' : 'intro'}
        aria-invalid={problem ? true : undefined}
      />
      {problem && (
        <p id="problem" className="error" role="alert">
          {mobileProblemText(problem, locale)}
        </p>
      )}
      <label htmlFor="reason">{t('reason')}</label>
      <input id="reason" name="reason" maxLength={200} defaultValue={values?.reason ?? ''} />
      <button type="submit">{t('send')}</button>
    </form>
  );
}

function Answer({ locale, request, mobile, contact, shopNumber }: Pick<StopPageProps, 'locale'> & NonNullable<StopPageProps['answer']>) {
  const t = translator(locale, 'Stop');
  if (request.kind !== 'requested') {
    return (
      <section className="card note" role="status">
        <h1>{t('title')}</h1>
        <p>{request.kind === 'active' ? (contact === null ? t('active') : t('activeContact', { contact })) : t('tooMany')}</p>
        {request.kind === 'active' && <CallLink contact={contact ?? shopNumber} locale={locale} />}
      </section>
    );
  }
  const about = { time: formatInstant(request.until, locale), mobile: maskMobile(mobile) };
  return (
    <section className="card note" role="status">
      <h1 className="sum long">{t('codeTitle', { code: `${request.code.slice(0, 3)}\u00a0${request.code.slice(3)}` })}</h1>
      <p>{contact === null ? t('codeText', about) : t('codeTextContact', { ...about, contact })}</p>
      {contact === null && shopNumber === null && <p>{t('noNumber')}</p>}
      <CallLink contact={contact ?? shopNumber} locale={locale} />
      <p>{t('untilThen')}</p>
    </section>
  );
}

/** A button that calls the operator or the shop, if the contact contains a number. */
function CallLink({ contact, locale }: { readonly contact: string | null; readonly locale: Locale }) {
  const [typed = ''] = /\+?\d[\d ()-]{7,}\d/.exec(contact ?? '') ?? [];
  const number = parseSupportNumber(typed);
  if (number === null) return null;
  return (
    <a className="button" href={`tel:${number}`}>
      {translator(locale, 'Stop')('call', { number: formatSupportNumber(number) })}
    </a>
  );
}

/**
 * Returns the address of the page where the owner of a number can block payment requests. `billId` is null if the visitor came without a
 * bill's link.
 */
export function stopAddress(billId: string | null, locale: Locale): string {
  return `/pay?show=stop&lang=${locale}${billId === null ? '' : `&bill=${billId}`}`;
}
