/** How much is read to find a page quickly. */
export interface ListingLimits {
  /** So many bills are fetched and sorted for one page, and counted exactly. */
  readonly gathered: number;
  /** The same where the only other way is to read through all bills in the order of the list. */
  readonly gatheredUnordered: number;
  /** With several ways to a list's bills, they are compared up to here. */
  readonly compared: number;
}

export const GATHERED = 10_000;
export const LIMITS: ListingLimits = { gathered: GATHERED, gatheredUnordered: 2 * GATHERED, compared: 5 * GATHERED };
