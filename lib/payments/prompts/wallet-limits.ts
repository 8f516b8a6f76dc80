import { SENTI_PER_SHILLING, type Senti } from '@/lib/core/money';
import type { Network } from '@/lib/core/network';

const shillings = (amount: bigint): Senti => amount * SENTI_PER_SHILLING;

/**
 * The least that a part may be: below 500 shillings one aggregator takes nothing (Snippe), and the wallets' own fees come near
 * the amount. All that is left of a bill may be less.
 */
export const SMALLEST_PART: Senti = shillings(500n);

/**
 * What most people's wallets send at a time: tier 2 of the Bank of Tanzania's customer tiers (Electronic Money Regulations
 * 2015; tier 1 is 1,000,000). Above it the page offers to pay in parts.
 */
export const USUAL_LIMIT: Senti = shillings(3_000_000n);

/**
 * The most that any customer of a network can send at a time, so that what is certain to fail is never asked for. Tier 3 is
 * 10,000,000 (Tigo's tariff of 2020 runs that far too); Airtel Tanzania speaks of 5,000,000 a day. What one customer may
 * send, the wallet decides.
 */
export const WALLET_LIMITS: Readonly<Record<Network, Senti>> = {
  vodacom: shillings(10_000_000n),
  yas: shillings(10_000_000n),
  airtel: shillings(5_000_000n),
  halotel: shillings(10_000_000n),
  ttcl: shillings(10_000_000n),
  other: shillings(10_000_000n),
};

/** The most that any wallet sends at a time. */
export const HIGHEST_LIMIT: Senti = Object.values(WALLET_LIMITS).reduce((most, limit) => (limit > most ? limit : most));
