import type { BillPlace } from './place';

/** What every form of a bill's page sends along, and the number that it is known by when it is sent twice. */
export function PlaceFields({ place: { merchant, environment, bill }, formId }: { readonly place: BillPlace; readonly formId?: string }) {
  return (
    <>
      <input type="hidden" name="merchant" value={merchant} />
      <input type="hidden" name="environment" value={environment} />
      <input type="hidden" name="bill" value={bill} />
      {formId !== undefined && <input type="hidden" name="form" value={formId} />}
    </>
  );
}
