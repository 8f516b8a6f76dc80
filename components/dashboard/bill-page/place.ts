/** Whose bill a form is about; every form of the page sends it along. */
export interface BillPlace {
  readonly merchant: string;
  readonly environment: string;
  readonly bill: string;
}
