/** Where a form belongs. */
export interface Place {
  readonly merchant: string;
  readonly environment: string;
}

/** Tells an action where it is to act: two tabs cannot be taken for each other. */
export function PlaceFields({ merchant, environment }: Place) {
  return (
    <>
      <input type="hidden" name="merchant" value={merchant} />
      <input type="hidden" name="environment" value={environment} />
    </>
  );
}
