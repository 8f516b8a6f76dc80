import { SENTI_PER_SHILLING, type Senti } from '@/lib/core/money';
import type { Network } from '@/lib/core/network';

const shillings = (amount: bigint): Senti => amount * SENTI_PER_SHILLING;

/**
 * The smallest part payment. One aggregator (Snippe) accepts nothing below 500 shillings, and the wallets' fees for smaller amounts are
 * nearly as high as the amount. The last payment of a bill may be smaller.
 */
export const SMALLEST_PART: Senti = shillings(500n);

/**
 * The highest amount that most wallets can send at once: tier 2 of the Bank of Tanzania's customer tiers (Electronic Money Regulations
 * 2015; tier 1 is 1,000,000). For a higher bill the page offers part payments.
 */
export const USUAL_LIMIT: Senti = shillings(3_000_000n);

/**
 * The highest amount that any customer of a network can send at once. A prompt for more would always fail. Tier 3 of the Bank of Tanzania's
 * customer tiers has a limit of 10,000,000. This is also the highest amount in Tigo's tariff of 2020. Airtel Tanzania publishes 5,000,000
 * per day. A customer's own limit may be lower.
 */
export const WALLET_LIMITS: Readonly<Record<Network, Senti>> = {
  vodacom: shillings(10_000_000n),
  yas: shillings(10_000_000n),
  airtel: shillings(5_000_000n),
  halotel: shillings(10_000_000n),
  ttcl: shillings(10_000_000n),
  other: shillings(10_000_000n),
};

/** The highest amount that any wallet can send at once. */
export const HIGHEST_LIMIT: Senti = Object.values(WALLET_LIMITS).reduce((most, limit) => (limit > most ? limit : most));
