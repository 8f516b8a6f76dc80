import { clientNetwork } from '@/lib/core/client-network';
import { type Clock, MINUTE_MS, SECOND_MS } from '@/lib/core/clock';

/** Thousands of customers share one address behind the networks' NAT and Opera Mini, so this limit only stops floods. */
const MOST_IN_A_MINUTE = 300;
/** Maximum number of addresses to remember. The oldest is forgotten first. */
const MOST_ADDRESSES = 100_000;

/** Counts a request. Returns null if it is allowed, otherwise the seconds until the next one is. */
export type AddressCeiling = (address: string | null) => number | null;

/** Limits the requests of each address per minute, in this process only. (The limits that protect phones are counted in the database.) */
export function addressCeiling(clock: Clock, most = MOST_IN_A_MINUTE): AddressCeiling {
  const minutes = new Map<string, { endsAt: number; count: number }>();
  return (address) => {
    const now = clock().getTime();
    const holder = clientNetwork(address);
    const known = minutes.get(holder);
    if (known && now < known.endsAt) {
      known.count += 1;
      return known.count > most ? Math.ceil((known.endsAt - now) / SECOND_MS) : null;
    }
    // Delete first, so that the map is ordered by the start of each minute.
    minutes.delete(holder);
    minutes.set(holder, { endsAt: now + MINUTE_MS, count: 1 });
    if (minutes.size > MOST_ADDRESSES) for (const oldest of minutes.keys()) if (minutes.delete(oldest)) break;
    return null;
  };
}
