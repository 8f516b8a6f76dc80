import { addMs, type Clock, MINUTE_MS } from '@/lib/core/clock';

/** Counts what each address asks for. In this process alone: it keeps load off, and decides nothing that matters. */
export interface Throttle {
  /** Counts one more. @returns whether the address is still within its limit. */
  admits(address: string | null): boolean;
}

/** @param perMinute set it high: thousands of phones share an address behind their network's NAT. */
export function createThrottle(clock: Clock, perMinute: number): Throttle {
  let counts = new Map<string, number>();
  let until = new Date(0);
  return {
    admits(address) {
      const now = clock();
      if (now >= until) {
        counts = new Map();
        until = addMs(now, MINUTE_MS);
      }
      const count = (counts.get(address ?? '') ?? 0) + 1;
      counts.set(address ?? '', count);
      return count <= perMinute;
    },
  };
}
