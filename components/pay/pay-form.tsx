import { remainingAmount } from '@/lib/bills/rules';
import { addMs, MINUTE_MS } from '@/lib/core/clock';
import { type Network, type OperatedNetwork, WALLETS } from '@/lib/core/network';
import { formatInstant, formatMoney } from '@/lib/i18n/format';
import { type Locale, translator } from '@/lib/i18n/translator';
import type { PayPage } from '@/lib/payments/show-pay-page';

/** What the form says back after a wrong submit, with what was filled in. */
export interface FormProblem {
  readonly typed: string;
  readonly chosen: OperatedNetwork | null;
  readonly problem:
    | 'mobileInvalid'
    | 'tooManyBytes'
    | 'closedForOthers'
    | 'networkInvalid'
    | 'numberRefused'
    /** Which limit of prompts is reached, and when one more can be asked for. */
    | { readonly tooMany: 'number' | 'bill'; readonly until: Date }
    /** The network that the prompt would have gone to. */
    | { readonly notServed: Network };
}

interface PayFormProps {
  readonly page: PayPage;
  readonly locale: Locale;
  readonly form: FormProblem | null;
}

/** Asks for the number that pays and, as numbers are portable, lets its owner say which network it is with. */
export function PayForm({ page, locale, form }: PayFormProps) {
  const t = translator(locale, 'Pay');
  const networks = page.offer?.networks ?? [];
  const text = form && problemText(form, { locale, offered: networks.length > 0 });
  const aboutNetwork = form !== null && networks.length > 0 && (form.problem === 'networkInvalid' || isNotServed(form.problem));
  const aboutMobile = form !== null && !aboutNetwork;
  const problem = text && (
    <p id="problem" className="error" role="alert">
      {text}
    </p>
  );
  return (
    <form className="card" method="post" action="/pay">
      <input type="hidden" name="bill" value={page.bill.id} />
      <input type="hidden" name="lang" value={locale} />
      <input type="hidden" name="after" value={page.latestAttemptId ?? ''} />
      <label htmlFor="mobile">{t('mobileLabel')}</label>
      <input
        id="mobile"
        name="mobile"
        type="tel"
        inputMode="tel"
        autoComplete="tel-national"
        required
        maxLength={40}
        defaultValue={form?.typed ?? ''}
        aria-describedby={aboutMobile ? 'problem hint' : 'hint'}
        aria-invalid={aboutMobile ? true : undefined}
      />
      {aboutMobile && problem}
      <p id="hint" className="hint">
        {t('mobileHint')}
      </p>
      {networks.length > 0 && (
        <>
          <label htmlFor="network">{t('networkLabel')}</label>
          <select
            id="network"
            name="network"
            defaultValue={(form ? form.chosen : page.offer?.chosen) ?? ''}
            aria-describedby={aboutNetwork ? 'problem' : 'network-hint'}
            aria-invalid={aboutNetwork ? true : undefined}
          >
            <option value="">{t('networkByNumber')}</option>
            {networks.map((network) => (
              <option key={network} value={network}>
                {WALLETS[network]}
              </option>
            ))}
          </select>
          {aboutNetwork ? (
            problem
          ) : (
            <p id="network-hint" className="hint">
              {t('networkHint')}
            </p>
          )}
        </>
      )}
      <button type="submit">{t('payButton', { amount: formatMoney(page.payable) })}</button>
      {page.payable > remainingAmount(page.bill) && <p className="small">{t('roundedNote')}</p>}
      <p className="small">{t('feeNote')}</p>
    </form>
  );
}

function isNotServed(problem: FormProblem['problem']): boolean {
  return typeof problem === 'object' && 'notServed' in problem;
}

/** @param offered whether there is another network to choose. */
function problemText(
  { problem, chosen }: FormProblem,
  { locale, offered }: { readonly locale: Locale; readonly offered: boolean },
): string {
  const t = translator(locale, 'Pay');
  if (typeof problem === 'string') return t(problem);
  if ('tooMany' in problem) {
    // The minute that is shown has to be over by then.
    const time = formatInstant(addMs(problem.until, MINUTE_MS - 1), locale);
    return t(problem.tooMany === 'number' ? 'tooManyToNumber' : 'tooManyForBill', { time });
  }
  const { notServed } = problem;
  if (!offered) return t('nothingServed');
  if (notServed === 'other') return t('networkUnknown');
  return t(chosen === null ? 'numberNotServed' : 'networkNotServed', { wallet: WALLETS[notServed] });
}
