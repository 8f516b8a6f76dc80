/** The numbers of bills that may be read to find a page. */
export interface ListingLimits {
  /** Up to this many bills are fetched, sorted and counted exactly. */
  readonly gathered: number;
  /** The same limit if the only alternative is to scan all bills in the order of the list. */
  readonly gatheredUnordered: number;
  /** With several index scans to choose from, their bills are counted up to this number to compare them. */
  readonly compared: number;
}

export const GATHERED = 10_000;
export const LIMITS: ListingLimits = { gathered: GATHERED, gatheredUnordered: 2 * GATHERED, compared: 5 * GATHERED };
