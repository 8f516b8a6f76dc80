/** So many bills are fetched and sorted for one page, and counted exactly. */
export const GATHERED = 10_000;
