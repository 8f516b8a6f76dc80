/** The numbers of bills that may be read to find a page. */
export interface ListingLimits {
  /** Up to this many bills are fetched, sorted and counted exactly. */
  readonly sortedMax: number;
  /** The same limit if the only alternative is to scan all bills in the order of the list. */
  readonly sortedMaxUnordered: number;
  /** With several index scans to choose from, their bills are counted up to this number to compare them. */
  readonly comparedMax: number;
}

export const SORTED_MAX = 10_000;
export const LIMITS: ListingLimits = { sortedMax: SORTED_MAX, sortedMaxUnordered: 2 * SORTED_MAX, comparedMax: 5 * SORTED_MAX };
