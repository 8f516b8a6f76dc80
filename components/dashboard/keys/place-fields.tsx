/** Whose data a form is about: every action reads it from the form, and decides anew who may. */
export interface PlaceProps {
  readonly merchant: string;
  readonly environment: string;
}

export function PlaceFields({ merchant, environment }: PlaceProps) {
  return (
    <>
      <input type="hidden" name="merchant" value={merchant} />
      <input type="hidden" name="environment" value={environment} />
    </>
  );
}
