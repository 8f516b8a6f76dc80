import type { ReactNode } from 'react';
import { isNetwork, type OperatedNetwork, WALLETS } from '@/lib/core/network';
import { type Locale, translator } from '@/lib/i18n/translator';
import type { NetworkOffer } from '@/lib/payments/prompts/offer-networks';

/** @returns the name of the wallet of a network as it is stored with a prompt. */
export function walletOf(network: string): string {
  return WALLETS[isNetwork(network) ? network : 'other'];
}

/** A wallet's name with its colour. */
export function Wallet({ network }: { readonly network: string }) {
  return (
    <>
      <i className={`mark ${network}`} />
      {walletOf(network)}
    </>
  );
}

/** Says which networks do not answer now, and which others do. Nothing keeps a customer from trying. */
export function DownNetworks({ offer, locale }: { readonly offer: NetworkOffer; readonly locale: Locale }) {
  const { networks, down } = offer;
  if (down.length === 0) return null;
  const t = translator(locale, 'Pay');
  const name = (list: readonly OperatedNetwork[]) => list.map(walletOf).join(', ');
  const others = networks.filter((network) => !down.includes(network));
  return (
    <p id="down" className="error">
      {t('networkDown', { wallets: name(down) })}{' '}
      {others.length > 0 ? t('networkDownOthers', { wallets: name(others) }) : t('networkDownTry')}
    </p>
  );
}

interface NetworkFieldProps {
  readonly networks: readonly OperatedNetwork[];
  readonly chosen: OperatedNetwork | null;
  /** What to say under it: a problem, or null. */
  readonly problem: ReactNode;
  readonly locale: Locale;
}

/** The network that is asked: the one of the number's prefix, unless its owner says that the number has moved. */
export function NetworkField({ networks, chosen, problem, locale }: NetworkFieldProps) {
  const t = translator(locale, 'Pay');
  return (
    <fieldset aria-describedby={problem ? 'problem' : 'network-hint'}>
      <legend>{t('networkLabel')}</legend>
      <div className="chips">
        <label className="wide">
          <input type="radio" id="net-auto" name="network" value="" defaultChecked={chosen === null} />
          <span>
            {t('networkByNumber')} <span id="guess" />
          </span>
        </label>
        {networks.map((network) => (
          <label key={network}>
            <input type="radio" id={`net-${network}`} name="network" value={network} defaultChecked={chosen === network} />
            <span>
              <Wallet network={network} />
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
  );
}
