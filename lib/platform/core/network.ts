/** The networks whose wallets Bili can prompt, in the order in which lists show them. */
export const OPERATED_NETWORKS = ['vodacom', 'yas', 'airtel', 'halotel', 'ttcl'] as const;

export type OperatedNetwork = (typeof OPERATED_NETWORKS)[number];

/** `other` is the network of a number whose prefix belongs to no known network. */
export type Network = OperatedNetwork | 'other';

export const NETWORKS: readonly Network[] = [...OPERATED_NETWORKS, 'other'];

/** The wallet of each network, by the name that customers know. */
export const WALLETS: Readonly<Record<Network, string>> = {
  vodacom: 'M-Pesa',
  yas: 'Mixx by Yas',
  airtel: 'Airtel Money',
  halotel: 'HaloPesa',
  ttcl: 'T-Pesa',
  other: 'mobile money',
};

/** The code that opens each wallet's own menu. A network without an entry has no code that we could confirm. */
export const WALLET_MENUS: Readonly<Partial<Record<Network, string>>> = {
  vodacom: '*150*00#',
  yas: '*150*01#',
  airtel: '*150*60#',
  halotel: '*150*88#',
  ttcl: '*150*71#',
};

export function isNetwork(text: string): text is Network {
  return Object.hasOwn(WALLETS, text);
}

export function isOperatedNetwork(text: string): text is OperatedNetwork {
  return isNetwork(text) && text !== 'other';
}

declare const brand: unique symbol;
/** The two digits after the leading zero of a national number: `79` of `0791234567`. */
export type Prefix = string & { readonly [brand]: 'Prefix' };

/** Parses a prefix. Returns null if no mobile number has it. */
export function parsePrefix(text: string): Prefix | null {
  return isPrefix(text) ? text : null;
}

function isPrefix(text: string): text is Prefix {
  return /^[67]\d$/.test(text);
}
