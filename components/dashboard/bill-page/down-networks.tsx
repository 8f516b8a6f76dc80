import { type OperatedNetwork, WALLETS } from '@/lib/core/network';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';

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
    <p id="ask-down" className="mb-4 text-danger">
      {t('networkDown', values(down))} {working.length > 0 && t('networkDownOthers', values(working))}
    </p>
  );
}
