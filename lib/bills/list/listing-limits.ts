/** The numbers of bills that may be read to find a page. */
export interface ListingLimits {
  /** Up to this many bills are fetched, sorted and counted exactly. */
  readonly sortedMax: number;
  /** Up to this many bills are fetched, sorted and counted exactly if the smallest index scan does not have the order of the list. */
  readonly sortedMaxUnordered: number;
  /** If there are more than two index scans, the bills of each scan are counted up to this number, to choose the smallest scan. */
  readonly comparedMax: number;
  /** If there are too many bills to count those of each tab, this many of the newest candidates of each tab are read. */
  readonly tabCandidates: number;
}

export const SORTED_MAX = 10_000;
export const LIMITS: ListingLimits = {
  sortedMax: SORTED_MAX,
  sortedMaxUnordered: 2 * SORTED_MAX,
  comparedMax: 5 * SORTED_MAX,
  tabCandidates: 2_000,
};
