/**
 * Two digits after the leading zero to the network that was given them. Numbers are portable in Tanzania, so this is a
 * first guess only. Source: TCRA numbering plan as followed by ClickPesa's tanzanian-phone-validator 1.1.8 (June 2026).
 */
const PREFIXES = {
  halotel: ['61', '62', '63'],
  yas: ['65', '67', '70', '71', '77'],
  airtel: ['66', '68', '69', '78'],
  ttcl: ['73'],
  vodacom: ['74', '75', '76', '79'],
} as const;

export type Network = keyof typeof PREFIXES | 'other';

/** The name of each network's wallet, as customers know it. */
export const WALLETS: Readonly<Record<Network, string>> = {
  halotel: 'HaloPesa',
  yas: 'Mixx by Yas',
  airtel: 'Airtel Money',
  ttcl: 'T-Pesa',
  vodacom: 'M-Pesa',
  other: 'mobile money',
};

const byPrefix = new Map<string, Network>(
  Object.entries(PREFIXES).flatMap(([network, prefixes]) =>
    prefixes.map((prefix): [string, Network] => [prefix, isNetwork(network) ? network : 'other']),
  ),
);

export function isNetwork(text: string): text is Network {
  return text in WALLETS;
}

/** @returns the network that a national number's prefix belongs to, `other` for a prefix nobody operates. */
export function guessNetwork(mobile: string): Network {
  return byPrefix.get(mobile.slice(1, 3)) ?? 'other';
}
