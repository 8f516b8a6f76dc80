import { holderOf } from '@/lib/core/address-holder';
import { type Clock, MINUTE_MS, SECOND_MS } from '@/lib/core/clock';

/** Thousands share one address behind the networks' NAT and Opera Mini, so this stops floods and nothing else. */
const MOST_IN_A_MINUTE = 300;
/** How many addresses are remembered; the longest known is forgotten first. */
const MOST_ADDRESSES = 100_000;

/** @returns null when an address may go on; else in how many seconds it may. */
export type AddressCeiling = (address: string | null) => number | null;

/**
 * Counts what each address sends, a minute at a time, in this process alone: the limits that protect phones are counted in the
 * database.
 */
export function addressCeiling(clock: Clock, most = MOST_IN_A_MINUTE): AddressCeiling {
  const minutes = new Map<string, { endsAt: number; count: number }>();
  return (address) => {
    const now = clock().getTime();
    const holder = holderOf(address);
    const known = minutes.get(holder);
    if (known && now < known.endsAt) {
      known.count += 1;
      return known.count > most ? Math.ceil((known.endsAt - now) / SECOND_MS) : null;
    }
    // Deleted first, so that the map stays in the order in which minutes began.
    minutes.delete(holder);
    minutes.set(holder, { endsAt: now + MINUTE_MS, count: 1 });
    if (minutes.size > MOST_ADDRESSES) for (const oldest of minutes.keys()) if (minutes.delete(oldest)) break;
    return null;
  };
}
