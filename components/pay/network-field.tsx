import type { ReactNode } from 'react';
import { readMobile } from '@/lib/core/mobile';
import { isNetwork, isOperatedNetwork, type OperatedNetwork, WALLETS } from '@/lib/core/network';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import type { NetworkOffer } from '@/lib/payments/prompts/offer-networks';

/** Returns the wallet name of a network as stored with an attempt. */
export function walletOf(network: string): string {
  return WALLETS[isNetwork(network) ? network : 'other'];
}

export function Wallet({ network }: { readonly network: string }) {
  return (
    <>
      <i className={`mark ${network}`} />
      {walletOf(network)}
    </>
  );
}

/** Names the networks that are down now and those that work. The customer may still choose a network that is down. */
export function DownNetworks({ offer, locale }: { readonly offer: NetworkOffer; readonly locale: Locale }) {
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
export function networkOfMobile(typed: string, prefixes: string): OperatedNetwork | null {
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
 * updates the name while the customer types the number. A customer whose number was ported unfolds the line and chooses another network.
 */
export function NetworkField({ networks, chosen, guessed, problem, locale }: NetworkFieldProps) {
  const t = translator(locale, 'Pay');
  const network = chosen ?? guessed;
  return (
    <details className="net" id="net" open={Boolean(problem)}>
      <summary>
        <span id="guess" data-none={t('networkLabel')}>
          {network ? <Wallet network={network} /> : t('networkLabel')}
        </span>{' '}
        <span id="how" hidden={network !== null}>
          {t('networkHow')}
        </span>{' '}
        <u>{t('networkChange')}</u>
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
