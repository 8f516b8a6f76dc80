import { MINUTE_MS, SECOND_MS } from '@/lib/core/clock';

/** How long after a bill was entered its prompt may be sent without asking the cashier. Later, the customer may have left. */
export const PROMPT_WITHIN_MS = 2 * MINUTE_MS;

/** How much a device's estimate of the server's clock may be wrong. */
export const CLOCK_TOLERANCE_MS = 30 * SECOND_MS;

/**
 * Pure. Returns whether a prompt may be sent without asking the cashier.
 * @param confirmedAt see `EnteredBill`. An instant in the future, beyond the tolerance, is refused. Otherwise a prompt could be sent
 * without asking after the customer has left.
 */
export function isFresh(confirmedAt: number | null, now: Date): boolean {
  if (confirmedAt === null) return false;
  const age = now.getTime() - confirmedAt;
  return age >= -CLOCK_TOLERANCE_MS && age <= PROMPT_WITHIN_MS;
}
