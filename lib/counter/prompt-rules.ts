import { MINUTE_MS, SECOND_MS } from '@/lib/core/clock';

/** For this time after a bill was entered, Bili may send the prompt without asking the cashier. Later, the customer may have left. */
export const PROMPT_WITHIN_MS = 2 * MINUTE_MS;

/** How much a device's estimate of the server's clock may be wrong. */
export const CLOCK_TOLERANCE_MS = 30 * SECOND_MS;

/**
 * Pure. Returns whether a prompt may be sent without asking the cashier.
 * @param confirmedAt see `EnteredBill`. If it is further in the future than CLOCK_TOLERANCE_MS, the device's clock is wrong, and the
 * result is false: by such a clock, a bill would seem fresh even after the customer has left.
 */
export function isFresh(confirmedAt: number | null, now: Date): boolean {
  if (confirmedAt === null) return false;
  const age = now.getTime() - confirmedAt;
  return age >= -CLOCK_TOLERANCE_MS && age <= PROMPT_WITHIN_MS;
}
