import type { ReactNode } from 'react';
import { remainingAmount } from '@/lib/gateway/bills/rules';
import type { PayFormOffer, PayPage } from '@/lib/gateway/payment-page/show-pay-page';
import { type AmountChoice, USUAL_LIMIT } from '@/lib/gateway/prompts/decide-prompt';
import type { NetworkOffer } from '@/lib/gateway/prompts/offer-networks';
import { formatMobile, readMobile } from '@/lib/platform/core/mobile';
import { toWholeShillings } from '@/lib/platform/core/money';
import { isNetwork, isOperatedNetwork, type OperatedNetwork, WALLETS } from '@/lib/platform/core/network';
import { formatMoney, groupDigits } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { type FormProblem, type FormValues, problemText } from './form-problem';
import { Icon } from './icon';

interface PayFormProps {
  readonly page: PayPage;
  readonly form: PayFormOffer;
  readonly values: FormValues;
  readonly wrong: FormProblem | null;
  readonly locale: Locale;
}

/**
 * The form for the mobile number, the network, and the amount if the customer can choose it. It has a field for the network, because a
 * ported number keeps the prefix of its old network. Only necessary fields are above the button, so it is on the first screen of a phone.
 */
export function PayForm({ page, form, values, wrong, locale }: PayFormProps) {
  const t = translator(locale, 'Pay');
  const { amounts, payable, prefixes } = form;
  const field = wrong && (wrong.problem.field === 'amount' && !amounts ? 'mobile' : wrong.problem.field);
  const problem = wrong && (
    <p id="problem" className="error" role="alert">
      {problemText(wrong, page, locale)}
    </p>
  );
  return (
    // The server checks the fields. A browser would report an empty field in its own language, which may not be that of the page.
    <form className="card" method="post" action="/pay" data-prefixes={prefixes} noValidate>
      <HiddenFields page={page} form={form} locale={locale} />
      {page.offer && <DownNetworks offer={page.offer} locale={locale} />}
      {amounts ? (
        <AmountField
          choice={amounts}
          value={values.amount ?? groupDigits(toWholeShillings(amounts.proposed))}
          problem={field === 'amount' && problem}
          locale={locale}
        />
      ) : (
        // The amount that the button names. If it has changed when the form is sent, the customer must confirm the new amount.
        <input type="hidden" name="amount" value={toWholeShillings(payable).toString()} />
      )}
      <label htmlFor="mobile">{t('mobileLabel')}</label>
      <input
        id="mobile"
        name="mobile"
        type="tel"
        inputMode="tel"
        autoComplete="tel-national"
        required
        maxLength={40}
        defaultValue={values.mobile}
        aria-describedby={field === 'mobile' ? 'problem' : 'hint'}
        aria-invalid={field === 'mobile' ? true : undefined}
      />
      {field === 'mobile' ? (
        problem
      ) : (
        <p id="hint" className="hint">
          {t('mobileHint')}
        </p>
      )}
      <NetworkField
        networks={page.offer?.networks ?? []}
        chosen={values.chosen}
        guessed={networkOfMobile(values.mobile, prefixes)}
        problem={field === 'network' && problem}
        locale={locale}
      />
      {payable > remainingAmount(page.bill) && <p className="small">{t('roundedNote')}</p>}
      {amounts ? (
        // The script replaces `#` by the amount that the customer types.
        <button type="submit" id="pay" data-pay={t('payButton', { amount: 'TZS\u00a0#' })}>
          {t('payAmountButton')}
        </button>
      ) : (
        <button type="submit">{t('payButton', { amount: formatMoney(payable) })}</button>
      )}
      <LockNote locale={locale} />
      <label className="check">
        <input type="checkbox" id="remember" name="remember" value="1" defaultChecked={values.remember} />
        <span>{t('remember')}</span>
      </label>
      <p className="small">{t('feeNote')}</p>
    </form>
  );
}

interface AmountFieldProps {
  readonly choice: AmountChoice;
  readonly value: string;
  readonly problem: ReactNode;
  readonly locale: Locale;
}

function AmountField({ choice, value, problem, locale }: AmountFieldProps) {
  const t = translator(locale, 'Pay');
  return (
    <>
      <label htmlFor="amount">{t('amountLabel')}</label>
      <input
        id="amount"
        name="amount"
        type="text"
        inputMode="numeric"
        autoComplete="off"
        required
        maxLength={30}
        defaultValue={value}
        aria-describedby={problem ? 'problem amount-hint' : 'amount-hint'}
        aria-invalid={problem ? true : undefined}
      />
      {problem}
      <p id="amount-hint" className="hint">
        {t('amountHint', { min: formatMoney(choice.min), max: formatMoney(choice.max) })}{' '}
        {choice.max > USUAL_LIMIT && t('amountAboveUsual', { limit: formatMoney(USUAL_LIMIT) })}
      </p>
    </>
  );
}

/** What every form of the page sends: the bill, the language and the id by which a repeated submission is recognised. */
function HiddenFields({ page, form, locale }: Pick<PayFormProps, 'page' | 'form' | 'locale'>) {
  return (
    <>
      <input type="hidden" name="bill" value={page.bill.id} />
      <input type="hidden" name="lang" value={locale} />
      <input type="hidden" name="form" value={form.id} autoComplete="off" />
    </>
  );
}

/** Says that this page never asks for the PIN, so that customers recognise fraudulent pages, which do ask for it. */
function LockNote({ locale }: { readonly locale: Locale }) {
  return (
    <p className="small lock">
      <Icon name="lock" />
      <span>{translator(locale, 'Pay')('pinOnPhone')}</span>
    </p>
  );
}

/** One button that repeats the last request with the same number and network. The amount is also the same if it is still possible. */
export function Retry({ page, form, values, locale }: Omit<PayFormProps, 'wrong'>) {
  const t = translator(locale, 'Pay');
  if (!form.again) return null;
  const { again, amounts, payable } = form;
  const mobile = formatMobile(again.mobile);
  const amount = amounts === null ? payable : again.amount <= amounts.max ? again.amount : amounts.proposed;
  return (
    <form method="post" action="/pay">
      <HiddenFields page={page} form={form} locale={locale} />
      <input type="hidden" name="mobile" value={again.mobile} />
      <input type="hidden" name="amount" value={toWholeShillings(amount).toString()} />
      {values.chosen && <input type="hidden" name="network" value={values.chosen} />}
      {values.remember && <input type="hidden" name="remember" value="1" />}
      <button type="submit">{amounts ? t('retryAmount', { mobile, amount: formatMoney(amount) }) : t('retry', { mobile })}</button>
      <LockNote locale={locale} />
    </form>
  );
}

/** Returns the wallet name of a network as stored with an attempt. */
export function walletOf(network: string): string {
  return WALLETS[isNetwork(network) ? network : 'other'];
}

/** The name of a network's wallet, in the colours of the network. */
export function Wallet({ network }: { readonly network: string }) {
  return isOperatedNetwork(network) ? <b className={`mark ${network}`}>{WALLETS[network]}</b> : walletOf(network);
}

/** Names the networks that are down now and those that work. The customer may still choose a network that is down. */
function DownNetworks({ offer, locale }: { readonly offer: NetworkOffer; readonly locale: Locale }) {
  const { networks, down } = offer;
  if (down.length === 0) return null;
  const t = translator(locale, 'Pay');
  const name = (list: readonly OperatedNetwork[]) => list.map(walletOf).join(', ');
  const others = networks.filter((network) => !down.includes(network));
  return (
    <p id="down" className="error">
      {t('networkDown', { wallets: name(down), count: down.length })}{' '}
      {others.length > 0 ? t('networkDownOthers', { wallets: name(others) }) : t('networkDownTry')}
    </p>
  );
}

/**
 * Returns the network of a number's prefix; null if the text is no mobile number or the prefix is unknown.
 * @param prefixes for example `vodacom:74,75;yas:65`
 */
function networkOfMobile(typed: string, prefixes: string): OperatedNetwork | null {
  const prefix = readMobile(typed)?.slice(1, 3);
  if (prefix === undefined) return null;
  const [network = ''] =
    prefixes
      .split(';')
      .find((entry) => entry.split(/[:,]/).slice(1).includes(prefix))
      ?.split(':') ?? [];
  return isOperatedNetwork(network) ? network : null;
}

interface NetworkFieldProps {
  readonly networks: readonly OperatedNetwork[];
  readonly chosen: OperatedNetwork | null;
  /** The network of the number's prefix, if it is known. */
  readonly guessed: OperatedNetwork | null;
  readonly problem: ReactNode;
  readonly locale: Locale;
}

/**
 * The choice of the network, folded into one line that names the network. By default this is the network of the number's prefix. The script
 * shows the line instead of the example of a number when the first digits are typed, and updates the name. A customer whose number was
 * ported unfolds the line and chooses another network.
 */
function NetworkField({ networks, chosen, guessed, problem, locale }: NetworkFieldProps) {
  const t = translator(locale, 'Pay');
  const network = chosen ?? guessed;
  return (
    <details className="net" id="net" open={Boolean(problem)}>
      <summary>
        <span id="known" hidden={network === null}>
          {t('networkLabel')}: <span id="guess">{network && <Wallet network={network} />}</span> · <u>{t('networkChange')}</u>
        </span>
        <u id="choose" hidden={network !== null}>
          {t('networkChoose')}
        </u>
      </summary>
      <fieldset aria-describedby={problem ? 'problem' : 'network-hint'}>
        <legend className="say">{t('networkLabel')}</legend>
        <div className="chips">
          <label className="wide">
            <input type="radio" id="net-auto" name="network" value="" defaultChecked={chosen === null} />
            <span>{t('networkByNumber')}</span>
          </label>
          {networks.map((one) => (
            <label key={one}>
              <input type="radio" id={`net-${one}`} name="network" value={one} defaultChecked={chosen === one} />
              <span>
                <Wallet network={one} />
              </span>
            </label>
          ))}
        </div>
        {problem || (
          <p id="network-hint" className="hint">
            {t('networkHint')}
          </p>
        )}
      </fieldset>
    </details>
  );
}
