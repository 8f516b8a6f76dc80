import type { ReactNode } from 'react';
import { isNetwork, type OperatedNetwork, WALLETS } from '@/lib/core/network';
import { type Locale, translator } from '@/lib/i18n/translator';
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

/** Names the networks that are down now and the others. The customer may still choose a network that is down. */
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

interface NetworkFieldProps {
  readonly networks: readonly OperatedNetwork[];
  readonly chosen: OperatedNetwork | null;
  readonly problem: ReactNode;
  readonly locale: Locale;
}

/** The network of the number. The default is the network of the prefix. The customer can choose another one if the number was ported. */
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
