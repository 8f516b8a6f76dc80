/** The networks whose wallets can be asked for money, in the order in which people are offered them. */
export const OPERATED_NETWORKS = ['vodacom', 'yas', 'airtel', 'halotel', 'ttcl'] as const;

export type OperatedNetwork = (typeof OPERATED_NETWORKS)[number];

/** `other` is the network of a number whose prefix nobody operates. */
export type Network = OperatedNetwork | 'other';

export const NETWORKS: readonly Network[] = [...OPERATED_NETWORKS, 'other'];

/** The name of each network's wallet, as customers know it. */
export const WALLETS: Readonly<Record<Network, string>> = {
  vodacom: 'M-Pesa',
  yas: 'Mixx by Yas',
  airtel: 'Airtel Money',
  halotel: 'HaloPesa',
  ttcl: 'T-Pesa',
  other: 'mobile money',
};

export function isNetwork(text: string): text is Network {
  return Object.hasOwn(WALLETS, text);
}

export function isOperatedNetwork(text: string): text is OperatedNetwork {
  return isNetwork(text) && text !== 'other';
}

declare const brand: unique symbol;
/** The two digits after a national number's leading zero: `79` of `0791234567`. */
export type Prefix = string & { readonly [brand]: 'Prefix' };

/** @returns the prefix, or null when no mobile number has it. */
export function parsePrefix(text: string): Prefix | null {
  return isPrefix(text) ? text : null;
}

function isPrefix(text: string): text is Prefix {
  return /^[67]\d$/.test(text);
}
